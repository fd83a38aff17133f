import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'

/**
 * Does what saves a file, whose name must match. Returns a function that reads the file. In Firefox
 * `folder` is where the browser saves files.
 */
export async function save(
  page: Page,
  folder: string | undefined,
  { name, start }: { name: RegExp; start: () => Promise<void> },
): Promise<() => Promise<string>> {
  if (folder === undefined) {
    const [file] = await Promise.all([page.waitForEvent('download'), start()])
    expect(file.suggestedFilename()).toMatch(name)
    return async () => fs.readFile(await file.path(), 'utf8')
  }
  // Over WebDriver BiDi Playwright does not report a file that a script saves. Those of earlier tests
  // are removed, because Firefox would give a second file of the same name another one.
  for (const earlier of await filesNamed(folder, name)) await fs.rm(earlier)
  await start()
  await expect.poll(() => filesNamed(folder, name), { message: String(name) }).toHaveLength(1)
  return async () => fs.readFile((await filesNamed(folder, name))[0] ?? '', 'utf8')
}

/** Returns the saved files with such a name. A file without content is still being saved. */
async function filesNamed(folder: string, name: RegExp): Promise<string[]> {
  const names = await fs.readdir(folder).catch(() => [])
  const files = names.filter((one) => name.test(one)).map((one) => path.join(folder, one))
  const sizes = await Promise.all(
    files.map(async (file) => (await fs.stat(file).catch(() => undefined))?.size ?? 0),
  )
  return files.filter((_, index) => sizes[index] !== 0)
}
