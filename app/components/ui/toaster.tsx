import * as RadixToast from '@radix-ui/react-toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useHydrated } from './use-hydrated'
import { listenForToasts, type ToastMessage } from './toasts'

const ICONS = { success: CircleCheck, error: CircleAlert, info: Info } as const
const TONES = { success: 'text-good', error: 'text-bad', info: 'text-soft' } as const

const BOX = 'flex items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-overlay'
const LIVE_PLACE =
  'fixed inset-x-4 bottom-4 z-50 mx-auto max-w-[420px] sm:left-auto sm:right-4 sm:mx-0 sm:w-[420px]'
// In the same place, but with room of its own at the end of the page: it never goes away by itself,
// so whatever lies under it has to come out when the page is scrolled.
const PLAIN_PLACE =
  'sticky bottom-4 z-50 mx-auto my-4 w-[calc(100%-2rem)] max-w-[420px] sm:ml-auto sm:mr-4'

/**
 * Shows the message a redirect left, and those of the page's scripts. Without scripts it is a plain
 * box of the page.
 */
export function Toaster({ toast, enhanced }: { toast: ToastMessage | null; enhanced: boolean }) {
  const isHydrated = useHydrated()
  if (!enhanced || !isHydrated) return toast && <PlainToast toast={toast} />
  return <LiveToasts first={toast} />
}

/** The toast of a failed form, from the action's answer. */
export function PlainToast({ toast }: { toast: ToastMessage }) {
  return (
    <div className={PLAIN_PLACE} role={toast.kind === 'error' ? 'alert' : 'status'}>
      <div className={BOX}>
        <ToastBody toast={toast} />
      </div>
    </div>
  )
}

function ToastBody({ toast }: { toast: ToastMessage }) {
  const Icon = ICONS[toast.kind]
  return (
    <>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${TONES[toast.kind]}`} />
      <div className="min-w-0 grow">
        <p className="text-sm font-semibold">{toast.title}</p>
        {toast.description && <p className="break-words text-sm text-soft">{toast.description}</p>}
      </div>
    </>
  )
}

type Shown = { id: number; toast: ToastMessage }

/** One at a time, five seconds, a swipe of 50 px to the right, F8 to get there (specification §9). */
function LiveToasts({ first }: { first: ToastMessage | null }) {
  const [shown, setShown] = useState<Shown | null>(first && { id: 0, toast: first })
  const [seen, setSeen] = useState(first)
  // A redirect that stays on the page brings its toast as a new prop.
  if (first !== seen) {
    setSeen(first)
    if (first) setShown((before) => ({ id: (before?.id ?? 0) + 1, toast: first }))
  }
  useEffect(() => {
    const show = (toast: ToastMessage) =>
      setShown((before) => ({ id: (before?.id ?? 0) + 1, toast }))
    return listenForToasts(show)
  }, [])
  return (
    <RadixToast.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {shown && (
        <RadixToast.Root
          key={shown.id}
          className={`${BOX} data-[swipe=move]:translate-x-[var(--radix-toast-swipe-move-x)]`}
          onOpenChange={(open) => !open && setShown(null)}
        >
          <ToastBody toast={shown.toast} />
          {shown.toast.action && (
            <RadixToast.Action
              altText={shown.toast.action.label}
              onClick={shown.toast.action.onPress}
              className="-my-1 rounded px-2 py-1 text-sm font-semibold text-accent hover:bg-sunken"
            >
              {shown.toast.action.label}
            </RadixToast.Action>
          )}
          <RadixToast.Close
            className="-m-2 rounded p-2 text-soft hover:text-ink"
            aria-label="Close"
          >
            <X aria-hidden className="size-4" />
          </RadixToast.Close>
        </RadixToast.Root>
      )}
      <RadixToast.Viewport className={LIVE_PLACE} hotkey={['F8']} />
    </RadixToast.Provider>
  )
}
