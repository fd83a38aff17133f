const MOST_LINES = 20

type Printer = { name: string; output: () => string }

/** The processes that the running test file has started. */
const printers: Printer[] = []

/** Remembers what a process prints, for the report of a failed test. */
export function rememberOutput(name: string, output: () => string): void {
  printers.push({ name, output })
}

/** Forgets the processes of a file at its end. */
export function forgetOutputs(): void {
  printers.length = 0
}

/** Returns the last lines of each process that has printed any, with a heading. */
export const lastLines = (): { name: string; text: string }[] =>
  printers
    .map(({ name, output }) => ({
      name: `last lines of ${name}`,
      text: output().trimEnd().split('\n').slice(-MOST_LINES).join('\n'),
    }))
    .filter(({ text }) => text !== '')
