import {
  Link,
  NavigationType,
  useBlocker,
  useLocation,
  useNavigate,
  type LinkProps,
} from '@remix-run/react'
import {
  useEffect,
  useRef,
  type MouseEvent,
  type MutableRefObject,
  type ReactNode,
  type RefObject,
} from 'react'
import { CAME_FROM, closedAddress } from '~/lib/dialog-address'
import { DialogMessage, MODAL_CHANGED } from './toasts'
import { buttonClass } from './button'
import { Icon } from './icon'
import { isPlainPress } from './plain-press'
import { useBeforePaint } from './use-before-paint'
import { useElementId } from './use-element-id'
import { useHydrated } from './use-hydrated'

const WIDTHS = { narrow: 'max-w-sm', normal: 'max-w-lg', wide: 'max-w-4xl' } as const

type Props = {
  title: string
  children: ReactNode
  width?: keyof typeof WIDTHS
  /** URL after closing. Default: the same page without the dialog. */
  closeTo?: string
  /** `alertdialog` for a question that the user must answer. */
  role?: 'dialog' | 'alertdialog'
  /** Id of the text that explains the title. */
  describedBy?: string
  /** Asked before Escape or Back closes the dialog. Default: asked only if something was typed. */
  question?: string
}

const TYPED_QUESTION = 'Close this and discard what you typed?'

/**
 * A dialog that the server renders because the URL asks for it (app/lib/dialog-address.ts). A link
 * closes it. Scripts make it modal: the page behind is inert, Escape or a click outside closes it,
 * and the focus then returns to the element that opened it, or to the page if that element is gone,
 * such as the button of a toast. If something would be lost, a click outside does nothing, and Escape
 * and the browser's Back ask first.
 */
export function Dialog({
  title,
  children,
  width = 'normal',
  closeTo,
  role = 'dialog',
  describedBy,
  question,
}: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const titleId = useElementId()
  const isHydrated = useHydrated()
  const { search } = useLocation()
  const back = closeTo ?? closedAddress(search)
  useModal(box, { closeTo: back, question })
  return (
    <div className="fixed inset-0 z-40 !m-0 bg-film/60">
      <dialog
        ref={box}
        open
        {...(role === 'alertdialog' && { role })}
        aria-labelledby={titleId}
        aria-describedby={describedBy}
        className={`fixed inset-0 z-50 m-auto max-h-[92vh] w-[calc(100%-1.5rem)] overflow-y-auto rounded-lg border border-line bg-surface p-5 text-ink tiny:p-3 shadow-overlay backdrop:bg-transparent sm:p-6 ${WIDTHS[width]}`}
      >
        <h2
          id={titleId}
          // Without scripts the focus starts here, not at the top of the page behind the dialog.
          {...(!isHydrated && { autoFocus: true, tabIndex: -1 })}
          className="mb-4 break-words pr-10 text-lg font-semibold outline-none"
        >
          {title}
        </h2>
        <DialogMessage />
        {children}
        {/* Last in the focus order, so that a dialog opens with the focus on its first field. */}
        <ClosingLink to={back} aria-label="Close" className="icon-btn absolute right-2 top-2">
          <Icon name="x" className="size-5" />
        </ClosingLink>
      </dialog>
    </div>
  )
}

type ButtonsProps = {
  children: ReactNode
  /** URL after cancelling. Default: the same page without the dialog. */
  cancelTo?: string | undefined
}

/** The last line of a dialog's form: Cancel, and the given button of the action. */
export function DialogButtons({ children, cancelTo }: ButtonsProps) {
  const { search } = useLocation()
  return (
    <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
      <ClosingLink to={cancelTo ?? closedAddress(search)} className={buttonClass('plain')}>
        Cancel
      </ClosingLink>
      {children}
    </div>
  )
}

/**
 * True while a dialog closes itself, so that its own step back asks no question. Shared by all
 * dialogs, and reset when the next one opens.
 */
let isClosing = false

/**
 * Returns a function that closes a dialog. It goes back in the history if the dialog was opened from
 * the page to which it leads, and otherwise replaces the entry, so that dialogs leave no entries.
 */
function useClosing(closeTo: string): () => void {
  const navigate = useNavigate()
  return () => {
    isClosing = true
    if (takeOrigin() === withoutEmptyQuery(new URL(closeTo, location.href).href)) history.back()
    else navigate(closeTo, { replace: true, preventScrollReset: true })
  }
}

/**
 * Returns the address from which the current entry of the history was opened. Returns it only once,
 * because a double click must go back once.
 */
function takeOrigin(): string | null {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !(CAME_FROM in state)) return null
  const { [CAME_FROM]: origin, ...rest } = state
  history.replaceState(rest, '')
  return withoutEmptyQuery(String(origin))
}

/** Removes an empty query, so that equal addresses compare as equal. */
const withoutEmptyQuery = (url: string) => url.replace(/\?$/, '')

/** A link that closes the dialog. */
function ClosingLink({ to, ...rest }: Omit<LinkProps, 'to'> & { to: string }) {
  const close = useClosing(to)
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!isPlainPress(event)) return
    event.preventDefault()
    close()
  }
  return <Link to={to} replace preventScrollReset onClick={onClick} {...rest} />
}

type Modal = { closeTo: string; question: string | undefined }

function useModal(box: RefObject<HTMLDialogElement>, { closeTo, question }: Modal): void {
  const leave = useClosing(closeTo)
  const close = useRef(leave)
  const asks = useRef(question)
  useEffect(() => {
    close.current = leave
  })
  useQuestionOnBack(asks)
  // Nobody sees the dialog before it is modal: until then Escape does nothing.
  useBeforePaint(() => {
    const dialog = box.current
    if (!dialog) return
    const opener = document.activeElement
    // The server rendered the dialog open, with the focus on its title, but not modal. Only a script
    // can make it modal, and then the first field gets the focus.
    const title = dialog.querySelector('h2[autofocus]')
    title?.removeAttribute('autofocus')
    title?.removeAttribute('tabindex')
    const { scrollTop } = dialog
    dialog.close()
    dialog.showModal()
    dispatchEvent(new Event(MODAL_CHANGED))
    // The user may have started typing in the dialog: keep the focus there. In a dialog that opens
    // with a failed form it is on the first invalid field, where Conform moves it after later
    // failures.
    const wrong = dialog.querySelector('[aria-invalid="true"]')
    const first = dialog.contains(opener) && opener !== title ? opener : wrong
    if (first instanceof HTMLElement) first.focus()
    // The user may have scrolled away from the field, and may be pressing a button at this moment.
    if (first === null || first === opener) dialog.scrollTo(0, scrollTop)
    asks.current = question
    isClosing = false
    const onInput = ({ isTrusted }: Event) => {
      if (isTrusted) asks.current ??= TYPED_QUESTION
    }
    const onCancel = (event: Event) => {
      event.preventDefault()
      if (mayClose(asks.current)) close.current()
    }
    const onClick = (event: globalThis.MouseEvent) => {
      // The second click of the double click that opened the dialog does not close it.
      const isClick = event.detail < 2 && event.target === dialog
      if (isClick && isBeside(dialog, event) && asks.current === undefined) close.current()
    }
    // Chromium closes a dialog without asking at the second Escape in a row.
    const onClose = () => {
      if (!dialog.open) close.current()
    }
    const ends = new AbortController()
    const { signal } = ends
    dialog.addEventListener('close', onClose, { signal })
    dialog.addEventListener('input', onInput, { signal })
    dialog.addEventListener('cancel', onCancel, { signal })
    dialog.addEventListener('click', onClick, { signal })
    return () => {
      ends.abort()
      dialog.close()
      dispatchEvent(new Event(MODAL_CHANGED))
      const isThere = opener instanceof HTMLElement && opener.isConnected
      if (isThere && opener !== document.body) opener.focus({ preventScroll: true })
      else focusPage()
    }
  }, [box, question])
}

const mayClose = (question: string | undefined): boolean =>
  question === undefined || window.confirm(question)

/** Asks before the browser's Back, which would close the dialog and discard what was typed. */
function useQuestionOnBack(asks: MutableRefObject<string | undefined>): void {
  const blocker = useBlocker(
    ({ historyAction }) =>
      historyAction === NavigationType.Pop && !isClosing && asks.current !== undefined,
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (mayClose(asks.current)) blocker.proceed()
    else blocker.reset()
  }, [blocker, asks])
}

/** Moves the focus to the page behind a dialog, if the element that opened it is gone. */
function focusPage(): void {
  const page = document.querySelector('main')
  page?.setAttribute('tabindex', '-1')
  page?.focus({ preventScroll: true })
}

/**
 * Returns whether a click was on the backdrop. Such a click has the dialog as its target but is
 * outside its box.
 */
function isBeside(dialog: HTMLDialogElement, { clientX, clientY }: globalThis.MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
