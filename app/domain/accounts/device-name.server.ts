import Bowser from 'bowser'

/**
 * Returns the name of a browser and its system, such as 'Chrome on Android', from the user agent.
 */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  // Bowser returns undefined or an empty string for unknown browsers.
  const name = [browser.name, 'Unknown browser'].find(Boolean) ?? ''
  return [name, os.name].filter(Boolean).join(' on ')
}
