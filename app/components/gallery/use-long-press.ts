import { useRef, type MouseEvent, type PointerEvent } from 'react'

/** How long a finger rests until it counts as a long press. */
const LONG_MS = 450
/** A finger that moves further scrolls. */
const STILL_PX = 10

/**
 * Returns the handlers of an element on which a long press of a finger does something of its own: no
 * press follows it, and the browser opens no menu.
 */
export function useLongPress(onLongPress: () => void) {
  const press = useRef<{ timer: number; x: number; y: number }>()
  const isLong = useRef(false)
  const end = () => {
    window.clearTimeout(press.current?.timer)
    press.current = undefined
  }
  return {
    onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
      isLong.current = false
      if (pointerType !== 'touch') return
      const timer = window.setTimeout(() => {
        isLong.current = true
        end()
        onLongPress()
      }, LONG_MS)
      press.current = { timer, x: clientX, y: clientY }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x = clientX, y = clientY } = press.current ?? {}
      if (Math.hypot(clientX - x, clientY - y) > STILL_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: MouseEvent) => {
      if (isLong.current || press.current) event.preventDefault()
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isLong.current) return
      isLong.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
