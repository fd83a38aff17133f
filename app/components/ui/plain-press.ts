import type { MouseEvent } from 'react'

/** Returns whether a press on a link follows it here, and does not open or save it elsewhere. */
export const isPlainPress = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey
