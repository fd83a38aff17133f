/** Settings as a process is given them: names and texts. */
export type Settings = Readonly<Record<string, string | undefined>>
