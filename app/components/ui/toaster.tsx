import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { atFirstTouch } from './at-first-touch'
import { Icon } from './icon'
import { useStayingForm } from './staying-forms'
import {
  listenForToasts,
  MODAL_CHANGED,
  PlainToast,
  TOAST_BOX,
  TOAST_BUTTON,
  TOAST_PLACE,
  ToastBody,
  type ToastMessage,
} from './toasts'
import { useHydrated } from './use-hydrated'

/**
 * Shows the toast that a redirect left, and the toasts of the page's scripts. Until scripts run the
 * former is part of the page (`PageMessage`).
 */
export function Toaster({ toast }: { toast: ToastMessage | null }) {
  return useHydrated() ? <ScriptedToasts first={toast} /> : null
}

function ScriptedToasts({ first }: { first: ToastMessage | null }) {
  const [shown, setShown] = useState<ShownToast | null>(first && { id: 0, toast: first })
  const [run, setRun] = useState<ToastMessage | null>(null)
  const [seen, setSeen] = useState(first)
  // After the first toast the place for toasts stays, so that F8 finds it.
  const [isUsed, setUsed] = useState(first !== null)
  const show = useCallback((toast: ToastMessage) => {
    setUsed(true)
    if (toast.isRun) return setRun(toast)
    if (toast.endsRun) setRun(null)
    setShown((before) => ({ id: (before?.id ?? 0) + 1, toast }))
  }, [])
  const forget = useCallback(() => setShown(null), [])
  // A redirect to the same page passes its toast as a new prop.
  if (first !== seen) {
    setSeen(first)
    if (first) show(first)
  }
  useEffect(() => listenForToasts(show), [show])
  if (!isUsed) return null
  return (
    <Suspense fallback={<OnlyPlain shown={shown} />}>
      <LiveToasts shown={shown} run={run} onGone={forget} />
    </Suspense>
  )
}

type ShownToast = { id: number; toast: ToastMessage }

type LiveProps = {
  shown: ShownToast | null
  /** The progress of something that runs, shown while there is no other toast. */
  run: ToastMessage | null
  onGone: () => void
}

// The library is a tenth of the scripts of a page, which seldom shows a toast at once.
const loadLibrary = () => import('@radix-ui/react-toast')
atFirstTouch(loadLibrary)

type Library = { radix: Awaited<ReturnType<typeof loadLibrary>> }

/** Loaded when needed. If the library cannot be loaded, toasts are shown without it. */
const LiveToasts = lazy(async () => {
  const radix = await loadLibrary().catch(() => null)
  return {
    default: radix ? (props: LiveProps) => <ToastList radix={radix} {...props} /> : OnlyPlain,
  }
})

function OnlyPlain({ shown }: Pick<LiveProps, 'shown'>) {
  return shown && <PlainToast toast={shown.toast} className={TOAST_PLACE} />
}

/** A closed toast is removed only after this delay (specification §9). */
const REMOVAL_DELAY_MS = 1_000_000
/** How long a removal can be undone in its toast. */
const UNDO_MS = 10_000

/**
 * Shows one toast at a time for five seconds, a removal that can be undone for ten. A swipe of 50 px
 * to the right closes it, F8 moves the focus to it (specification §9).
 */
function ToastList({ radix, shown, run, onGone }: LiveProps & Library) {
  const [closedId, setClosedId] = useState<number | null>(null)
  const place = useRef<HTMLOListElement>(null)
  const isClosed = shown?.id === closedId
  const isRunShown = run !== null && (shown === null || isClosed)
  useEffect(() => {
    const list = place.current
    if (!list) return
    const move = () => {
      if ((shown ?? isRunShown) && list.isConnected) moveToTop(list)
      moveClear(list)
    }
    move()
    // The library adds a toast to the list later.
    const grows = new ResizeObserver(() => moveClear(list))
    grows.observe(list)
    const fit = () => moveClear(list)
    addEventListener(MODAL_CHANGED, move)
    addEventListener('resize', fit)
    // A sheet that opens. The event does not bubble.
    addEventListener('toggle', fit, true)
    return () => {
      grows.disconnect()
      removeEventListener(MODAL_CHANGED, move)
      removeEventListener('resize', fit)
      removeEventListener('toggle', fit, true)
    }
    // After each toast the place is a new one.
  }, [shown, isRunShown, closedId])
  useEffect(() => {
    if (!isClosed) return
    const timer = setTimeout(onGone, REMOVAL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isClosed, onGone])
  return (
    // A new provider after each toast. The library moves the focus of a closed toast to its list,
    // which pauses the timers of all later toasts.
    <radix.Provider key={closedId} duration={5000} swipeDirection="right" swipeThreshold={50}>
      {isRunShown && (
        <radix.Root className={TOAST_BOX} type="background" open duration={Infinity}>
          <ToastBody toast={run} /> {run.action && <ToastButton radix={radix} {...run.action} />}
        </radix.Root>
      )}
      {shown && (
        <radix.Root
          key={shown.id}
          className={`${TOAST_BOX} data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]`}
          {...(shown.toast.undo !== undefined && { duration: UNDO_MS })}
          type={shown.toast.isPolite ? 'background' : 'foreground'}
          open={!isClosed}
          onOpenChange={(open) => !open && setClosedId(shown.id)}
        >
          <ToastBody toast={shown.toast} />{' '}
          {shown.toast.action && <ToastButton radix={radix} {...shown.toast.action} />}
          {shown.toast.undo !== undefined && <UndoButton radix={radix} {...shown.toast.undo} />}
          <radix.Close className="-m-3.5 rounded p-3.5 text-soft hover:text-ink" aria-label="Close">
            <Icon name="x" className="size-4" />
          </radix.Close>
        </radix.Root>
      )}
      <radix.Viewport ref={place} className={TOAST_PLACE} hotkey={['F8']} />
    </radix.Provider>
  )
}

function ToastButton({ radix, label, onPress }: Library & NonNullable<ToastMessage['action']>) {
  return (
    <radix.Action altText={label} onClick={onPress} className={TOAST_BUTTON}>
      {label}
    </radix.Action>
  )
}

/** Brings back what was removed, from whatever page is shown. */
function UndoButton({ radix, ...form }: Library & NonNullable<ToastMessage['undo']>) {
  const send = useStayingForm()
  const undo = () => send({ ...form, isConfirmed: () => true })
  return <ToastButton radix={radix} label="Undo" onPress={undo} />
}

/** Shows the place of toasts above everything, also above a modal dialog. */
function moveToTop(place: HTMLElement): void {
  // Browsers before 2024 show toasts beside or behind a dialog.
  if (!('showPopover' in place)) return
  place.setAttribute('popover', 'manual')
  if (place.matches(':popover-open')) place.hidePopover()
  place.showPopover()
}

/**
 * What a toast may not cover: the controls and the title of an open dialog, and an open sheet; otherwise the page's
 * buttons.
 */
const KEPT =
  'dialog[open] :is(a, button, input, select, textarea, summary, label, h2), .tool[open] > .tool-sheet'
const KEPT_ON_PAGE = 'main .btn'
const STEP_PX = 8

/** Moves the place of toasts as far up or down as it would cover one of those. */
function moveClear(place: HTMLElement): void {
  place.style.translate = ''
  const { top, bottom, left, right, height } = place.getBoundingClientRect()
  const isOver = document.querySelector(KEPT) !== null
  const kept = [...document.querySelectorAll(isOver ? KEPT : KEPT_ON_PAGE)]
    .map((control) => control.getBoundingClientRect())
    .filter((box) => box.height > 0 && box.right > left && box.left < right)
  const isFree = (by: number) =>
    kept.every((box) => box.bottom <= top + by || box.top >= bottom + by)
  if (height === 0) return
  for (let by = 0; by < innerHeight; by += STEP_PX)
    for (const way of [-by, by])
      if (top + way >= 0 && bottom + way <= innerHeight && isFree(way))
        return void (place.style.translate = `0 ${way}px`)
}
