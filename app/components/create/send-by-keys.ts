import type { KeyboardEvent } from 'react'

/** Control or Command with Enter presses the form's button, from any field of the form. */
export function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLButtonElement>('button[data-submit]')?.click()
}
