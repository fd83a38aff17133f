import { chatTextOf, fillChatText } from '~/domain/business/chat-texts'
import type { ChatLanguage, ChatOccasion } from '~/domain/business/types'
import { PLAN_NAMES, type Plans } from '~/domain/plans/types'
import type { ShownCredentials } from '~/http/session/credentials-once.server'
import { chatLink } from '~/lib/chat-link'
import { shortDay } from '~/lib/time'
import { CopyButton } from '~/components/ui/copy-button'
import { Dialog } from '~/components/ui/dialog'
import { showToast } from '~/components/ui/toasts'
import { usePlatformZone, useRootData } from '~/components/ui/use-root-data'
import { usePlans } from '~/components/admin/use-plans'
import type { ChatLinkView } from '~/domain/administration/types'
import { buttonClass } from '~/components/ui/button'

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
  const { chatTexts, password, passwordLink, bearerToken } = credentials
  const isSecret = [password, passwordLink, bearerToken].some((secret) => secret !== null)
  const product = useRootData()?.product ?? ''
  const timeZone = usePlatformZone()
  const expiry =
    credentials.expiryDate === null ? 'never' : shortDay(credentials.expiryDate, timeZone)
  const lines = linesOf(credentials, expiry)
  const all = lines.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const told = { plans: usePlans(), product, timeZone }
  const messageIn = ({ name }: ChatLanguage) =>
    messageOf(credentials, { ...told, languages: chatTexts, language: name })
  const copied = { onCopied: () => showToast({ kind: 'success', title: 'Copied' }) }
  return (
    <Dialog
      title={TITLES[credentials.kind]}
      {...(isSecret && { question: 'Close this? It will not be shown again.' })}
    >
      {isSecret && (
        <p className="mb-4 rounded border border-warn px-3 py-2 text-sm text-warn">
          Save this now: it will not be shown again.
        </p>
      )}
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
        {chatTexts.map((language) => (
          <CopyButton
            key={language.name}
            text={messageIn(language)}
            label={chatTexts.length === 1 ? 'Copy message' : `Copy message, ${language.name}`}
            isLabelShown
            look="plain"
            {...copied}
          />
        ))}
        {!credentials.isPhoneDoubtful && (
          <ChatLinks
            chats={chatTexts.map((language) => ({
              language: language.name,
              href: chatLink(credentials.phone, messageIn(language)),
            }))}
          />
        )}
      </div>
      {credentials.isPhoneDoubtful && (
        <p className="mt-2 text-sm text-warn">
          Check the number: it is not a complete number of any country, so there is no chat for it.
        </p>
      )}
      <details className="mt-4 text-sm">
        <summary className="min-h-11 cursor-pointer py-3 text-soft">Message to send</summary>
        {chatTexts.map((language) => (
          <pre
            key={language.name}
            dir="auto"
            className="mt-2 whitespace-pre-wrap rounded bg-sunken p-3 font-sans"
          >
            {messageIn(language)}
          </pre>
        ))}
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

const OCCASIONS = {
  created: 'account',
  quick: 'account',
  link: 'account',
  password: 'password',
  renewed: 'renewed',
} as const satisfies Record<ShownCredentials['kind'], ChatOccasion>

type Told = {
  plans: Plans
  product: string
  timeZone: string
  languages: readonly ChatLanguage[]
  language: string
}

/** The message to the user. A link in it sets the password, unless the account is inactive. */
function messageOf(given: ShownCredentials, { languages, language, ...told }: Told): string {
  const occasion = OCCASIONS[given.kind]
  return fillChatText(chatTextOf(languages, { occasion, language }), {
    ...told,
    username: given.username,
    plan: PLAN_NAMES.find((name) => name === given.plan) ?? null,
    expiryDate: given.expiryDate,
    link: given.passwordLink ?? given.ownPasswordLink ?? given.signInUrl,
  })
}

type ChatLinksProps = {
  chats: readonly ChatLinkView[]
  /** Whose chat it is, where a page has several. */
  whose?: string
}

/** Links that open a customer's chat with a message, one for each of the operator's languages. */
function ChatLinks({ chats, whose }: ChatLinksProps) {
  return chats.map(({ language, href }) => {
    const label = chats.length === 1 ? 'Open chat' : `Chat, ${language}`
    return (
      <a
        key={language}
        href={href}
        target="_blank"
        rel="noreferrer"
        aria-label={whose === undefined ? undefined : `${label}: ${whose}`}
        className={buttonClass('plain')}
      >
        {label}
      </a>
    )
  })
}
