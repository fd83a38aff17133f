/**
 * Copies a text to the clipboard. Returns false if the browser refuses, as it does on pages without
 * https, or if the promise of a text is rejected. Safari refuses unless it is called in the press itself:
 * load nothing before, and give the promise of what has to be loaded.
 */
export async function writeClipboard(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else if ('ClipboardItem' in window)
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })])
    else await navigator.clipboard.writeText(await text)
    return true
  } catch {
    return false
  }
}
