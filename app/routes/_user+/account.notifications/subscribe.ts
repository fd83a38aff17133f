/**
 * What a browser can do: nothing; nothing, because its user has refused; be asked; or it is asked already
 * and has an address at its maker's service.
 */
export type Possible = 'missing' | 'blocked' | 'ready' | 'subscribed'

/** Returns what this browser can do. Asks its user nothing. */
export async function whatIsPossible(): Promise<Possible> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  const registration = await navigator.serviceWorker.getRegistration()
  const known = await registration?.pushManager.getSubscription().catch(() => null)
  return known && Notification.permission === 'granted' ? 'subscribed' : 'ready'
}

/** What the server needs to tell a browser. */
export type Subscribed = { endpoint: string; p256dh: string; auth: string }

/** Asks the user, then the browser's service. Call it only in a press. Never throws. */
export async function subscribe(publicKey: string): Promise<Subscribed | { problem: string }> {
  try {
    // First of all: browsers allow the question only as long as the press is fresh.
    if ((await Notification.requestPermission()) !== 'granted')
      return { problem: 'Your browser did not allow it.' }
    await navigator.serviceWorker.register('/service-worker.js')
    const { pushManager } = await navigator.serviceWorker.ready
    const options = { userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) }
    const known = await pushManager.getSubscription()
    // One for another key, such as of an installation that was here before, is refused.
    if (known && !isFor(known, options.applicationServerKey)) await known.unsubscribe()
    const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON()
    const { p256dh, auth } = keys ?? {}
    return endpoint && p256dh && auth ? { endpoint, p256dh, auth } : { problem: NO_SERVICE }
  } catch {
    return { problem: NO_SERVICE }
  }
}

const NO_SERVICE =
  'Your browser did not reach its service for messages. Check your connection and its settings.'

function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  if (!options.applicationServerKey) return false
  return new Uint8Array(options.applicationServerKey).join() === key.join()
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
