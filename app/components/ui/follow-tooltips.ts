/** Delay before a hovered element shows its tooltip (specification §9) … */
const DELAY_MS = 700
/** … and no delay if another tooltip was visible this recently. */
const SKIP_DELAY_MS = 300
const GAP_PX = 8

/**
 * Shows in the box the tooltips of what the pointer is over or has the focus, until the signal aborts.
 */
export function followTooltips(box: HTMLDivElement, signal: AbortSignal): void {
  // Browsers before 2024 have no tooltips. The element's name contains the same text.
  if (signal.aborted || !('showPopover' in box)) return
  let timer: ReturnType<typeof setTimeout> | undefined
  let owner: Element | null = null
  let hiddenAt = -Infinity
  // In the top layer it is also above a modal dialog.
  box.setAttribute('popover', 'manual')
  box.hidden = false

  const hide = () => {
    clearTimeout(timer)
    if (owner && box.matches(':popover-open')) {
      hiddenAt = performance.now()
      box.hidePopover()
    }
    owner = null
  }
  const show = (element: Element) => {
    if (!element.isConnected) return
    box.textContent = element.getAttribute('data-tooltip')
    box.showPopover()
    place(box, element.getBoundingClientRect())
  }
  const onOver = ({ target, pointerType }: PointerEvent) => {
    const element = tipped(target)
    if (element === owner) return
    hide()
    if (!element || pointerType === 'touch') return
    owner = element
    const wait = performance.now() - hiddenAt < SKIP_DELAY_MS ? 0 : DELAY_MS
    timer = setTimeout(() => show(element), wait)
  }
  const onFocus = ({ target }: FocusEvent) => {
    const element = tipped(target)
    hide()
    if (!element?.matches(':focus-visible')) return
    owner = element
    show(element)
  }
  const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()

  const options = { signal, capture: true, passive: true }
  document.addEventListener('pointerover', onOver, options)
  document.addEventListener('focusin', onFocus, options)
  document.addEventListener('keydown', onKey, options)
  for (const event of ['focusout', 'pointerdown', 'scroll'])
    document.addEventListener(event, hide, options)
  document.documentElement.addEventListener('pointerleave', hide, options)
  signal.addEventListener('abort', () => clearTimeout(timer))
}

function tipped(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tooltip]') : null
}

/**
 * Places the tooltip above the element, or below it if there is no room. Never beyond an edge of
 * the window.
 */
function place(box: HTMLDivElement, element: DOMRect): void {
  const { width, height } = box.getBoundingClientRect()
  const above = element.top - height - GAP_PX
  const middle = element.left + element.width / 2 - width / 2
  box.style.top = `${above < GAP_PX ? element.bottom + GAP_PX : above}px`
  box.style.left = `${Math.max(GAP_PX, Math.min(middle, window.innerWidth - width - GAP_PX))}px`
}
