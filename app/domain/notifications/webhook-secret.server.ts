import { randomBytes } from 'node:crypto'

/** Returns the context string for encrypting the secret of a user's webhook. */
export const webhookSealedAs = (userId: string): string => `notification-webhook:${userId}`

/** Returns a new secret in the form that Standard Webhooks names: `whsec_` and 32 bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
