/** Whether an error says that a unique index, known by its name, has such a row already. */
export function isDuplicate(error: unknown, index: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('constraint' in error)) return false
  return error.code === '23505' && error.constraint === index
}
