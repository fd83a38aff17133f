import { useEffect, useRef, type ReactNode } from 'react'
import { buttonClass } from './button'
import { Icon } from './icon'
import type { IconName } from './icon-names'

type Props = {
  label: string
  icon: IconName
  /** How many of its choices are in effect, beside the label. */
  count?: number
  /** The icon stands for the label: on phones, or everywhere. */
  isSign?: 'on-phones' | true
  /** Opens over the button, for one at the foot of the window. */
  isAbove?: boolean
  children: ReactNode
}

/**
 * A button of a toolbar that opens a sheet over the page. Works without scripts. With them a choice,
 * Escape, or a press or a step of the focus elsewhere closes it, and the focus that was inside returns
 * to the button.
 */
export function ToolSheet({ label, icon, count = 0, children, ...look }: Props) {
  const { isSign, isAbove = false } = look
  const words = count === 0 ? label : `${label} (${count})`
  return (
    <PlainSheet
      buttonClass={buttonClass('plain', 'tool-button')}
      sheetClass={isAbove ? 'tool-sheet-above' : ''}
      button={
        <>
          <Icon name={icon} className="size-4" />
          <span className={isSign === true ? 'sr-only' : isSign && 'max-sm:sr-only'}>{words}</span>
          {isSign && count > 0 && (
            <span aria-hidden className="text-xs tabular-nums sm:hidden">
              {count}
            </span>
          )}
        </>
      }
    >
      {children}
    </PlainSheet>
  )
}

type PlainProps = {
  button: ReactNode
  buttonClass: string
  sheetClass: string
  children: ReactNode
}

/** The same with a button of any look. */
export function PlainSheet({ button, sheetClass, children, ...look }: PlainProps) {
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => (box.current ? closesItself(box.current) : undefined), [])
  return (
    <details ref={box} className="tool">
      <summary className={look.buttonClass}>{button}</summary>
      <div className={`tool-sheet ${sheetClass}`}>{children}</div>
    </details>
  )
}

/** A choice in the sheet. */
const CHOICE = '.tool-sheet :is(a, button, [type="checkbox"])'

/** Adds what scripts do for a sheet. Returns a function that ends it. */
function closesItself(box: HTMLDetailsElement): () => void {
  const ends = new AbortController()
  const { signal } = ends
  const isOutside = (target: EventTarget | null) => target instanceof Node && !box.contains(target)
  const close = () => {
    if (box.open && box.contains(document.activeElement)) box.querySelector('summary')?.focus()
    box.open = false
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.open) return
    event.preventDefault()
    close()
  }
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest(CHOICE)) close()
  }
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (isOutside(relatedTarget)) box.open = false
  }
  const onPress = ({ target }: PointerEvent) => {
    if (isOutside(target)) box.open = false
  }
  const onToggle = () => {
    if (box.open) box.querySelector('.tool-sheet')?.scrollIntoView({ block: 'nearest' })
  }
  box.addEventListener('keydown', onKeyDown, { signal })
  box.addEventListener('click', onClick, { signal })
  box.addEventListener('focusout', onFocusOut, { signal })
  box.addEventListener('toggle', onToggle, { signal })
  document.addEventListener('pointerdown', onPress, { signal })
  return () => ends.abort()
}
