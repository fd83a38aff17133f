import { Link, useActionData } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import type { FormResponse } from '~/http/forms/forms.server'
import { ActionForm, HiddenFields } from './action-form'
import { FieldErrors } from './field-frame'
import { Icon } from './icon'
import { textLinkClass } from './text-link'
import { useHydrated } from './use-hydrated'
import { useRootData } from './use-root-data'

// What toasts say and how they look. Scripts show them one at a time (toaster.tsx).

export type ToastMessage = {
  kind: 'success' | 'error' | 'info'
  title: string
  description?: string | undefined
  /** The form that undoes what was done, which the toast offers for ten seconds. */
  undo?: { intent: string; on: string; action: string; failed: string } | undefined
  /** A page of this site that the toast leads to. */
  link?: { label: string; to: string } | undefined
  /**
   * Shows the progress of something that runs: it stays until a toast with `endsRun`, and gives way to
   * other toasts for their time.
   */
  isRun?: boolean
  endsRun?: boolean
  /** An action that the toast offers while it is shown. The toast disappears with it. */
  action?: { label: string; onPress: () => void }
  /**
   * Not a response to something the user just did, so screen readers finish their sentence first.
   */
  isPolite?: boolean
}

const EVENT = 'reelmill:toast'

declare global {
  // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
  interface WindowEventMap {
    [EVENT]: CustomEvent<ToastMessage>
  }
}

// A toast shown before the first listener: a page's effects run before those of the toaster.
let unheard: ToastMessage | undefined
let listeners = 0

/**
 * Key under which the script of the public pages (public/enhance.js) stores a toast for the page it
 * navigates to.
 */
const HANDED_OVER = 'toast'

/** Shows a toast. Can be called from anywhere in the page's scripts. */
export function showToast(toast: ToastMessage): void {
  if (listeners === 0) unheard = toast
  window.dispatchEvent(new CustomEvent<ToastMessage>(EVENT, { detail: toast }))
}

/** Calls `show` for every toast until the returned function is called. */
export function listenForToasts(show: (toast: ToastMessage) => void): () => void {
  const listener = ({ detail }: CustomEvent<ToastMessage>) => show(detail)
  window.addEventListener(EVENT, listener)
  listeners += 1
  const waiting = takeHandedOver() ?? unheard
  if (waiting) show(waiting)
  unheard = undefined
  return () => {
    listeners -= 1
    window.removeEventListener(EVENT, listener)
  }
}

function takeHandedOver(): ToastMessage | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(HANDED_OVER) ?? 'null')
    sessionStorage.removeItem(HANDED_OVER)
    return isToast(value) ? value : null
  } catch {
    return null
  }
}

/** Returns whether a value of another script or of a response is a toast. */
export function isToast(value: unknown): value is ToastMessage {
  return typeof value === 'object' && value !== null && 'kind' in value && 'title' in value
}

/** The event of `window` after a dialog was made modal, so that it covers a toast, or was closed. */
export const MODAL_CHANGED = 'modal-changed'

const ICONS = { success: 'circle-check', error: 'circle-alert', info: 'info' } as const
const TONES = { success: 'text-good', error: 'text-bad', info: 'text-soft' } as const

export const TOAST_BOX =
  'flex items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-overlay'

/** The button of a toast, on a page and in the list of toasts. */
export const TOAST_BUTTON =
  '-my-1 min-h-9 rounded px-2 py-1 text-sm font-semibold text-accent hover:bg-sunken'

/** Class for the position of toasts from scripts (app/styles/tailwind.css). */
export const TOAST_PLACE = 'toast-place'

/** The icon, text and link of a toast. */
export function ToastBody({ toast }: { toast: ToastMessage }) {
  return (
    <>
      <Icon name={ICONS[toast.kind]} className={`mt-0.5 size-5 shrink-0 ${TONES[toast.kind]}`} />
      <div className="min-w-0 grow">
        {/* The blank separates the two in the announcement, which joins the texts. */}
        <p className="text-sm font-semibold">{toast.title}</p>{' '}
        {toast.description && <p className="break-words text-sm text-soft">{toast.description}</p>}
        {toast.link && (
          <Link to={toast.link.to} className={textLinkClass}>
            {toast.link.label}
          </Link>
        )}
      </div>
    </>
  )
}

type PlainProps = { toast: ToastMessage; className?: string }

/**
 * A toast as part of the page, above the content it is about, for pages without scripts. Its
 * checkbox hides it.
 */
export function PlainToast({ toast, className = 'page-message' }: PlainProps) {
  return (
    <div
      data-toast
      className={`has-[:checked]:hidden ${className}`}
      role={toast.kind === 'error' ? 'alert' : 'status'}
    >
      <div className={TOAST_BOX}>
        <ToastBody toast={toast} />
        {toast.undo !== undefined && (
          <ActionForm intent={toast.undo.intent} action={toast.undo.action}>
            <HiddenFields fields={{ on: toast.undo.on }} />
            <button className={TOAST_BUTTON}>Undo</button>
          </ActionForm>
        )}
        <label className="-m-3.5 cursor-pointer rounded p-3.5 text-soft hover:text-ink has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent">
          <input type="checkbox" aria-label="Hide this message" className="sr-only" />
          <Icon name="x" className="size-4" />
        </label>
      </div>
    </div>
  )
}

/** The toast of a short form or a dialog, above its fields. It stays until the next one. */
export function FormToast({ toast }: { toast: ToastMessage }) {
  const isBad = toast.kind === 'error'
  return (
    <div
      data-toast="stays"
      role={isBad ? 'alert' : 'status'}
      className={`flex items-start gap-3 rounded border p-3 ${isBad ? 'border-bad' : 'border-line'}`}
    >
      <ToastBody toast={toast} />
    </div>
  )
}

/** Templates from which the script of the public pages (public/enhance.js) builds its messages. */
export function ToastTemplates() {
  const empty = { title: ' ', description: ' ' }
  return (
    <>
      {(['success', 'error'] as const).map((kind) => (
        <template key={kind} id={`toast-${kind}`}>
          <PlainToast className={TOAST_PLACE} toast={{ kind, ...empty }} />
        </template>
      ))}
      <template id="form-error">
        <FormToast toast={{ kind: 'error', ...empty }} />
      </template>
      <template id="field-error">
        <FieldErrors id={undefined} messages={[' ']} />
      </template>
    </>
  )
}

/**
 * Shows the toast of a failed form from the action's response. Without scripts it is part of the
 * page, with scripts it is one of the page's toasts and visible for five seconds.
 */
export function ActionToast({ toast }: { toast: ToastMessage | undefined }) {
  const rendered = useRendered(toast)
  useEffect(() => {
    // An open dialog says it itself (`DialogMessage`), unless a field of it does.
    if (toast && toast !== rendered && !document.querySelector('dialog [data-toast]'))
      showToast(toast)
  }, [toast, rendered])
  return toast && toast === rendered ? <PlainToast toast={toast} /> : null
}

/**
 * Returns the toast if the server rendered it. Such a toast stays in the page; only toasts of later
 * responses are announced.
 */
function useRendered(toast: ToastMessage | undefined): ToastMessage | undefined {
  const isHydrated = useHydrated()
  const [rendered] = useState(isHydrated ? undefined : toast)
  return rendered
}

/** The toast that a redirect left, until scripts show it (app/components/ui/toaster.tsx). */
export function PageMessage() {
  const toast = useLeftToast()
  return toast && <PlainToast toast={toast} />
}

/**
 * Says inside a dialog why its form failed, unless a field says it. The page's toast disappears, and
 * the dialog covers messages that the server rendered. In a long dialog it is scrolled into view,
 * unless the focus moves to an invalid field.
 */
export function DialogMessage() {
  const left = useLeftToast()
  const response = useActionData<Partial<FormResponse>>()
  const isRendered = useRendered(response?.toast) === response?.toast
  const toast = response?.toast ?? left
  const errors = Object.values(response?.result?.error ?? {}).flat()
  const isAboutFields = errors.length > 0
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (response && !isAboutFields) box.current?.scrollIntoView({ block: 'center' })
  }, [response, isAboutFields])
  if (!toast) return null
  // A field's error below may have the same text.
  const isSaid = errors.includes(toast.description ?? null)
  if (isSaid && !isRendered) return null
  return (
    <div ref={box} className="mb-4">
      <FormToast toast={isSaid ? { kind: toast.kind, title: toast.title } : toast} />
    </div>
  )
}

type LeftToast = Pick<ToastMessage, 'kind' | 'title' | 'description'>

function useLeftToast(): LeftToast | null {
  const root = useRootData()
  return useHydrated() ? null : (root?.toast ?? null)
}
