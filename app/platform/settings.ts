/** Settings as a process receives them: names and strings. */
export type Settings = Readonly<Record<string, string | undefined>>
