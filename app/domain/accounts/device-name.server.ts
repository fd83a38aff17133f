import Bowser from 'bowser'

/** A browser and its system in words, such as 'Chrome on Android', from what the browser says of itself. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  // What it does not know it calls nothing, or the empty text.
  const name = [browser.name, 'Unknown browser'].find(Boolean) ?? ''
  return [name, os.name].filter(Boolean).join(' on ')
}
