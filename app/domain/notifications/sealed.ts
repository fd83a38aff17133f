/** Returns the context string for encrypting the secret of a user's webhook. */
export const webhookSealedAs = (userId: string): string => `notification-webhook:${userId}`

/** The id of the one row of keys of Web Push. */
export const PUSH_KEY_ID = '00000000-0000-4000-8000-000000000001'

/** Returns the context string for encrypting their secret. */
export const pushSealedAs = (): string => 'push-key'
