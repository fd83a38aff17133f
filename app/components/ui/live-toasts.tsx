import * as RadixToast from '@radix-ui/react-toast'
import { useEffect, useRef, useState } from 'react'
import { paths } from '~/lib/paths'
import { Icon } from './icon'
import { useStayingForm } from './staying-forms'
import { TOAST_BOX, TOAST_PLACE, ToastBody } from './toast-body'
import { MODAL_OPENED, type ToastMessage } from './toasts'

export type ShownToast = { id: number; toast: ToastMessage }

export type LiveToastsProps = {
  shown: ShownToast | null
  /** The progress of something that runs, shown while there is no other toast. */
  run: ToastMessage | null
  onGone: () => void
}

/** A closed toast is removed only after this delay (specification §9). */
const REMOVAL_DELAY_MS = 1_000_000
/** How long a deletion can be undone in its toast. */
const UNDO_MS = 10_000

/**
 * Shows one toast at a time for five seconds, a deletion that can be undone for ten. A swipe of 50 px to the right closes it, F8 moves the
 * focus to it (specification §9).
 */
export function LiveToasts({ shown, run, onGone }: LiveToastsProps) {
  const [closedId, setClosedId] = useState<number | null>(null)
  const place = useRef<HTMLOListElement>(null)
  const isClosed = shown?.id === closedId
  const isRunShown = run !== null && (shown === null || isClosed)
  useEffect(() => {
    const move = () => (shown ?? isRunShown) && place.current && moveToTop(place.current)
    move()
    addEventListener(MODAL_OPENED, move)
    return () => removeEventListener(MODAL_OPENED, move)
  }, [shown, isRunShown])
  useEffect(() => {
    if (!isClosed) return
    const timer = setTimeout(onGone, REMOVAL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isClosed, onGone])
  return (
    // A new provider after each toast. The library moves the focus of a closed toast to its list,
    // which pauses the timers of all later toasts.
    <RadixToast.Provider key={closedId} duration={5000} swipeDirection="right" swipeThreshold={50}>
      {isRunShown && (
        <RadixToast.Root className={TOAST_BOX} type="background" open duration={Infinity}>
          <ToastBody toast={run} /> {run.action && <ToastButton {...run.action} />}
        </RadixToast.Root>
      )}
      {shown && (
        <RadixToast.Root
          key={shown.id}
          className={`${TOAST_BOX} data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]`}
          {...(shown.toast.undo !== undefined && { duration: UNDO_MS })}
          type={shown.toast.isPolite ? 'background' : 'foreground'}
          open={!isClosed}
          onOpenChange={(open) => !open && setClosedId(shown.id)}
        >
          <ToastBody toast={shown.toast} />{' '}
          {shown.toast.action && <ToastButton {...shown.toast.action} />}
          {shown.toast.undo !== undefined && <UndoButton deletedAt={shown.toast.undo} />}
          <RadixToast.Close
            className="-m-3.5 rounded p-3.5 text-soft hover:text-ink"
            aria-label="Close"
          >
            <Icon name="x" className="size-4" />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport ref={place} className={TOAST_PLACE} hotkey={['F8']} />
    </RadixToast.Provider>
  )
}

function ToastButton({ label, onPress }: NonNullable<ToastMessage['action']>) {
  return (
    <RadixToast.Action
      altText={label}
      onClick={onPress}
      className="-my-1 min-h-9 rounded px-2 py-1 text-sm font-semibold text-accent hover:bg-sunken"
    >
      {label}
    </RadixToast.Action>
  )
}

/** Restores what one deletion removed, from whatever page is shown. */
function UndoButton({ deletedAt }: { deletedAt: string }) {
  const send = useStayingForm()
  const question = { intent: 'undo', on: deletedAt, action: paths.deleted } as const
  return <ToastButton label="Undo" onPress={() => send({ ...question, isConfirmed: () => true })} />
}

/** Shows the place of toasts above everything, also above a modal dialog. */
function moveToTop(place: HTMLElement): void {
  // Browsers before 2024 show toasts beside or behind a dialog.
  if (!('showPopover' in place)) return
  place.setAttribute('popover', 'manual')
  if (place.matches(':popover-open')) place.hidePopover()
  place.showPopover()
}
