import { LIMITS } from '~/domain/accounts/rules'
import type { ShownCredentials } from '~/http/session/credentials-once.server'
import { chatLink } from '~/lib/chat-link'
import { dayTimeAndZone } from '~/lib/time'
import { buttonClass } from '../ui/button'
import { CopyButton } from '../ui/copy-button'
import { Dialog } from '../ui/dialog'
import { showToast } from '../ui/toasts'
import { usePlatformZone, useRootData } from '../ui/use-root-data'

const TITLES = {
  created: 'User Created Successfully!',
  quick: 'User Created Successfully!',
  password: 'New password',
  link: 'Set-password link',
  renewed: 'Renewed',
} as const

type Props = { credentials: ShownCredentials }

/** Credentials for the administrator to pass on. They are shown only once. */
export function CredentialsDialog({ credentials }: Props) {
  const root = useRootData()
  const timeZone = usePlatformZone()
  const expiry =
    credentials.expiryDate === null ? 'never' : dayTimeAndZone(credentials.expiryDate, timeZone)
  const lines = linesOf(credentials, expiry)
  const all = lines.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const message = messageOf(credentials, { product: root?.product ?? '', expiry })
  const copied = { onCopied: () => showToast({ kind: 'success', title: 'Copied' }) }
  return (
    <Dialog title={TITLES[credentials.kind]} question="Close this? It will not be shown again.">
      <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn">
        Save this now: it will not be shown again.
      </p>
      <dl className="divide-y divide-line text-sm">
        {lines.map(({ label, value }) => (
          <div key={label} className="flex min-h-11 items-center gap-3 py-1">
            <dt className="w-24 shrink-0 text-soft">{label}</dt>
            <dd className="min-w-0 grow break-all font-medium">{value}</dd>
            <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} {...copied} />
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={all} label="Copy All" isLabelShown look="primary" {...copied} />
        <CopyButton text={message} label="Copy message" isLabelShown look="plain" {...copied} />
        {!credentials.isPhoneDoubtful && (
          <a
            href={chatLink(credentials.phone, message)}
            target="_blank"
            rel="noreferrer"
            className={buttonClass('plain')}
          >
            Open chat
          </a>
        )}
      </div>
      {credentials.isPhoneDoubtful && (
        <p className="mt-2 text-sm text-warn">
          Check the number: it is not a complete number of any country, so there is no chat for it.
        </p>
      )}
      <details className="mt-4 text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-soft">Message to send</summary>
        <pre className="mt-2 whitespace-pre-wrap rounded bg-sunken p-3 font-sans">{message}</pre>
      </details>
    </Dialog>
  )
}

function linesOf(given: ShownCredentials, expiry: string): { label: string; value: string }[] {
  return [
    { label: 'Username', value: given.username },
    ...(given.password === null ? [] : [{ label: 'Password', value: given.password }]),
    ...(given.passwordLink === null ? [] : [{ label: 'Link', value: given.passwordLink }]),
    { label: 'Phone', value: given.phone },
    { label: 'Role', value: given.role },
    { label: 'Plan', value: given.plan },
    { label: 'Expiry date', value: expiry },
    ...(given.bearerToken === null ? [] : [{ label: 'Bearer token', value: given.bearerToken }]),
  ]
}

const ready = (product: string) => `Your ${product} account is ready.`
const OPENINGS = {
  created: ready,
  quick: ready,
  link: ready,
  password: (product: string) => `Your ${product} password is new.`,
  renewed: (product: string) => `Thank you. Your ${product} plan is renewed.`,
} as const

type Told = { product: string; expiry: string }

function messageOf(given: ShownCredentials, { product, expiry }: Told): string {
  const passwordLink = given.passwordLink ?? given.ownPasswordLink
  return [
    OPENINGS[given.kind](product),
    '',
    `Username: ${given.username}`,
    `Plan: ${given.plan}`,
    `Valid until: ${expiry}`,
    '',
    passwordLink === null
      ? `Sign in: ${given.signInUrl}`
      : `Set your password: ${passwordLink} (works once, for ${LIMITS.passwordLinkDays} days)`,
  ].join('\n')
}
