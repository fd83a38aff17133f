/** Returns the key of a film's file. One key per film, so that a repeated run replaces its own file. */
export const fileKeyOf = (filmId: string): string => `${filmId.slice(-2)}/${filmId}.mp4`

/** The same for its poster. */
export const posterKeyOf = (filmId: string): string => `${filmId.slice(-2)}/${filmId}.jpg`
