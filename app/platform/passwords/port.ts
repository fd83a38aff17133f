/** More passwords wait to be looked at than can be in a few seconds. Nothing was done. */
export class PasswordsBusy extends Error {
  override readonly name = 'PasswordsBusy'
}

/** Both reject with PasswordsBusy while too many wait. */
export type Passwords = {
  hash(password: string): Promise<string>
  /** False for a wrong password and, after the same amount of work, where there is no hash. */
  verify(hash: string | null, password: string): Promise<boolean>
}
