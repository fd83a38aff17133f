/** The id of the one row of keys. */
export const PUSH_KEY_ID = '00000000-0000-4000-8000-000000000001'

/** Returns the context string for encrypting the secret key. */
export const pushSealedAs = (): string => 'push-key'
