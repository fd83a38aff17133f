export type Passwords = {
  hash(password: string): Promise<string>
  /** False for a wrong password and, after the same amount of work, where there is no hash. */
  verify(hash: string | null, password: string): Promise<boolean>
}
