export type ToastMessage = {
  kind: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
  /**
   * The time of a deletion that the toast offers to undo, for ten seconds. Without scripts it leads to
   * what was deleted.
   */
  undo?: string | undefined
  /** A page of this site that the toast leads to. */
  link?: { label: string; to: string } | undefined
  /**
   * Shows the progress of something that runs: it stays until a toast with `endsRun`, and gives way to
   * other toasts for their time.
   */
  isRun?: boolean
  endsRun?: boolean
  /** An action that the toast offers while it is shown. The toast disappears with it. */
  action?: { label: string; onPress: () => void }
  /**
   * Not a response to something the user just did, so screen readers finish their sentence first.
   */
  isPolite?: boolean
}

const EVENT = 'reelmill:toast'

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface WindowEventMap {
    [EVENT]: CustomEvent<ToastMessage>
  }
}

// A toast shown before the first listener: a page's effects run before those of the toaster.
let unheard: ToastMessage | undefined
let listeners = 0

/**
 * Key under which the script of the public pages (public/enhance.js) stores a toast for the page it
 * navigates to.
 */
const HANDED_OVER = 'toast'

/** Shows a toast. Can be called from anywhere in the page's scripts. */
export function showToast(toast: ToastMessage): void {
  if (listeners === 0) unheard = toast
  window.dispatchEvent(new CustomEvent<ToastMessage>(EVENT, { detail: toast }))
}

/** Calls `show` for every toast until the returned function is called. */
export function listenForToasts(show: (toast: ToastMessage) => void): () => void {
  const listener = ({ detail }: CustomEvent<ToastMessage>) => show(detail)
  window.addEventListener(EVENT, listener)
  listeners += 1
  const waiting = takeHandedOver() ?? unheard
  if (waiting) show(waiting)
  unheard = undefined
  return () => {
    listeners -= 1
    window.removeEventListener(EVENT, listener)
  }
}

function takeHandedOver(): ToastMessage | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(HANDED_OVER) ?? 'null')
    sessionStorage.removeItem(HANDED_OVER)
    return isToast(value) ? value : null
  } catch {
    return null
  }
}

/** Returns whether a value of another script or of a response is a toast. */
export function isToast(value: unknown): value is ToastMessage {
  return typeof value === 'object' && value !== null && 'kind' in value && 'title' in value
}

/** The event of `window` after a dialog was made modal: it covers a toast that was shown before. */
export const MODAL_OPENED = 'modal-opened'
