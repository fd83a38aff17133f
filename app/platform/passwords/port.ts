/** Thrown when too many passwords are waiting to be hashed or verified. Nothing was done. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}

/** Both reject with PasswordsBusy while too many wait. */
export type Passwords = {
  hash(password: string): Promise<string>
  /**
   * Returns false for a wrong password. Without a hash it returns false after the same amount of
   * work.
   */
  verify(hash: string | null, password: string): Promise<boolean>
}
