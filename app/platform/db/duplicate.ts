/** Returns whether an error is a violation of the unique index with this name. */
export function isDuplicate(error: unknown, index: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false
  return error.code === '23505' && error.constraint === index
}
