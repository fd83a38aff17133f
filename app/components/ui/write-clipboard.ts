/**
 * Copies a text to the clipboard. Returns false if the browser refuses, as it does on pages without
 * https. Safari refuses unless it is called in the press itself: load nothing before.
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
