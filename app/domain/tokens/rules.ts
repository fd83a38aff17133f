/** How much of a token a list has room for. */
export const TOKEN_DISPLAY_CHARACTERS = 50
const MOST_SHOWN = 8

/**
 * What stands for a token on screens and in answers: its first characters (eight, or a quarter of a
 * short one), the rest as dots, cut at 50.
 */
export function maskToken(token: string): string {
  const shown = Math.min(MOST_SHOWN, Math.floor(token.length / 4))
  const length = Math.min(token.length, TOKEN_DISPLAY_CHARACTERS)
  const dots = '•'.repeat(Math.max(0, length - shown))
  return `${token.slice(0, shown)}${dots}${token.length > TOKEN_DISPLAY_CHARACTERS ? '…' : ''}`
}

/** Which token each user gets: in turn, so that no token serves two users more than another. */
export function assignInTurn<User, Token>(
  users: readonly User[],
  tokens: readonly [Token, ...Token[]],
): { user: User; token: Token }[] {
  return users.map((user, i) => ({ user, token: tokens[i % tokens.length] ?? tokens[0] }))
}
