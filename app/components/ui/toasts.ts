export type ToastMessage = {
  kind: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
}

const EVENT = 'reelmill:toast'

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface WindowEventMap {
    [EVENT]: CustomEvent<ToastMessage>
  }
}

/** Shows a toast from anywhere in the page's scripts. */
export function showToast(toast: ToastMessage): void {
  window.dispatchEvent(new CustomEvent<ToastMessage>(EVENT, { detail: toast }))
}

/** Calls `show` for every toast until the returned function is called. */
export function listenForToasts(show: (toast: ToastMessage) => void): () => void {
  const listener = ({ detail }: CustomEvent<ToastMessage>) => show(detail)
  window.addEventListener(EVENT, listener)
  return () => window.removeEventListener(EVENT, listener)
}
