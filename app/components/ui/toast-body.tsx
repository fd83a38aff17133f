import { Link } from '@remix-run/react'
import { paths } from '~/lib/paths'
import { FieldErrors } from './field-frame'
import { Icon } from './icon'
import { textLinkClass } from './text-link'
import type { ToastMessage } from './toasts'

const ICONS = { success: 'circle-check', error: 'circle-alert', info: 'info' } as const
const TONES = { success: 'text-good', error: 'text-bad', info: 'text-soft' } as const

export const TOAST_BOX =
  'flex items-start gap-3 rounded-lg border border-line bg-surface p-4 shadow-overlay'

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
          <Link to={paths.deleted} className={textLinkClass}>
            Recently deleted
          </Link>
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
