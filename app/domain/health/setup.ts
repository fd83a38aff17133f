import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { channelsText, type ByHand } from '../business/types'
import type { AlarmFacts } from './types'
import type { Verdict } from './verdicts'

// What an operator has to set up before selling. No server code.

export type SetupFacts = {
  waysToPay: readonly string[]
  chatNumber: string
  email: string
  productName: string
  /** The address under which users reach the product. */
  address: string
  timeZone: string
  phoneCountries: readonly string[]
  /** What System says of the backups and their copies; null if no folder, or no bucket, is set. */
  backups: { made: Verdict | null; copy: Verdict | null } | null
  /** Whether the Plans page has changed a plan. */
  arePricesChanged: boolean
  /** What is said of each plan that loses money. */
  losses: readonly string[]
  /** Where alarms go, and the channels that lack their secret. */
  alarms: Pick<AlarmFacts, 'channels' | 'unready'>
  /** The provider's name; usable tokens, and whether it needs any. */
  provider: string
  tokens: number
  needsToken: boolean
  /** The same of further providers. */
  others: { provider: string; tokens: number; needsToken: boolean }[]
  /** What the operator has to mend in the settings or at the services, as these or their refusals say. */
  asked: { provider: string; problems: readonly string[] }[]
  /** What is said of the providers that plans or accounts name and that are not set up. */
  absent: readonly string[]
  /** The text service, which may be left out. */
  texts: Pick<SetupStep, 'isDone' | 'text'>
  adminsWithoutSecondFactor: number
  hasDelivered: boolean
  /** What administrators have marked as done. */
  marked: readonly ByHand[]
}

/** One thing to set up: what is the case, and where it is set. */
export type SetupStep = {
  title: string
  isDone: boolean
  text: string
  /** The page where it is set; null: in the environment, as `where` says. */
  to: string | null
  /** Null: outside the product. */
  where: string | null
  /** What is done there: 'Set in'. */
  verb: string
  /** Its name, if a person marks it as done. */
  byHand: ByHand | null
}

/** The contacts of a new installation. Nobody reads messages there. */
const PLACEHOLDERS = { chatNumber: '10000000000', email: 'hello@example.com' }

type Step = Omit<SetupStep, 'byHand' | 'to' | 'verb'> & {
  byHand?: ByHand
  to?: string
  verb?: string
}

/** Returns all steps: what is missing first. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  const steps = [...business(facts), ...infrastructure(facts), ...work(facts)].map(
    ({ byHand, to, verb, ...step }) => ({
      ...step,
      byHand: byHand ?? null,
      to: to ?? null,
      verb: verb ?? 'Set in',
      isDone: step.isDone || (byHand !== undefined && facts.marked.includes(byHand)),
    }),
  )
  return steps.sort((a, b) => Number(a.isDone) - Number(b.isDone))
}

function business(facts: SetupFacts): Step[] {
  const { waysToPay, chatNumber, email, productName, phoneCountries, timeZone } = facts
  const settings = { to: paths.admin.settings, where: 'Settings' }
  return [
    {
      title: 'Payment accounts',
      isDone: waysToPay.length > 0,
      text:
        waysToPay.length > 0
          ? `Buyers see: ${waysToPay.join(', ')}.`
          : 'No account is set: buyers see no way to pay.',
      ...settings,
    },
    prices(facts),
    ...losses(facts),
    {
      title: 'Contacts',
      isDone: chatNumber !== PLACEHOLDERS.chatNumber && email !== PLACEHOLDERS.email,
      text: `Buyers write to ${chatNumber} and ${email}.`,
      ...settings,
    },
    {
      title: 'Product name',
      isDone: productName !== 'Reelmill',
      text: `Users read “${productName}”.`,
      where: 'PRODUCT_NAME and PRODUCT_DOMAIN in the environment',
      byHand: 'name',
    },
    {
      title: 'Country codes',
      isDone: phoneCountries.length > 0,
      text:
        phoneCountries.length > 0
          ? `Numbers without a code are read as of +${phoneCountries.join(', +')}.`
          : 'None: 0300… and +92 300… are two accounts.',
      where: 'PHONE_COUNTRY_CODES in the environment',
      byHand: 'countries',
    },
    {
      title: 'Time zone',
      isDone: timeZone !== 'UTC',
      text: `Days begin and quotas are reset at midnight ${timeZone}.`,
      where: 'PLATFORM_TIMEZONE in the environment',
      byHand: 'zone',
    },
  ]
}

function prices({ arePricesChanged: isDone }: SetupFacts): Step {
  const text = isDone
    ? 'Plans have prices of your own.'
    : 'Plans are sold at the prices that the product came with.'
  return { title: 'Prices', isDone, text, to: paths.admin.plans, where: 'Plans', byHand: 'prices' }
}

/** Nothing to set up while no plan loses money. */
const losses = ({ losses }: SetupFacts): Step[] =>
  losses.length === 0
    ? []
    : [
        {
          title: 'Plans that lose money',
          isDone: false,
          text: losses.join(' '),
          to: paths.admin.plans,
          where: 'Plans',
          byHand: 'losses',
        },
      ]

function alarms({ alarms: { channels, unready } }: SetupFacts): Step {
  const settings = { title: 'Alarms', to: paths.admin.settings, where: 'Settings' }
  if (channels.length === 0)
    return { ...settings, isDone: false, text: 'Off: problems are shown on the System page only.' }
  if (unready.length > 0) {
    const text = `The secret of ${channelsText(unready)} is missing in the environment.`
    return { ...settings, isDone: false, text }
  }
  return { ...settings, isDone: true, text: `Sent by ${channelsText(channels)}.` }
}

/** Without a bucket, somebody copies the folder: only a person can know that it is done. */
function copies({ backups }: SetupFacts): Step {
  const title = 'Copies of the backups'
  if (backups?.copy) {
    const { level, text } = backups.copy
    return { title, isDone: level === 'ok', text, where: 'BACKUP_S3_BUCKET in the environment' }
  }
  return {
    title,
    isDone: false,
    text: 'The folder of the backups is copied to another machine every day, or to a bucket (BACKUP_S3_BUCKET).',
    where: null,
    byHand: 'copies',
  }
}

function infrastructure(facts: SetupFacts): Step[] {
  const { address, backups } = facts
  const where = 'APP_URL in the environment'
  const isPublic = !/^https?:\/\/(127\.|localhost|\[::1\]|0\.0\.0\.0)/.test(address)
  return [
    { title: 'Address', isDone: isPublic, text: `Users open ${address}.`, where },
    {
      title: 'TLS',
      isDone: address.startsWith('https:'),
      text: address.startsWith('https:')
        ? 'Pages are encrypted.'
        : 'Passwords travel in clear: put a proxy with TLS in front, and begin APP_URL with https.',
      where: null,
    },
    {
      title: 'Backups',
      isDone: backups?.made?.level === 'ok',
      text: backups?.made?.text ?? 'They are off: a lost disk is a lost business.',
      where: 'BACKUP_DIR in the environment',
    },
    copies(facts),
    alarms(facts),
    { title: 'Text service', ...facts.texts, where: 'TEXT_SERVICE_KEY in the environment' },
  ]
}

const askedStep = ({ provider, problems }: SetupFacts['asked'][number]): Step => ({
  title: `Provider ${provider}`,
  isDone: problems.length === 0,
  text:
    problems.length === 0
      ? `${provider} answers, and can make what is ordered.`
      : problems.map((problem) => `${problem}.`).join(' '),
  where: 'the environment',
})

/** What further providers lack, and what plans say of some that are not set up. */
const moreProviders = ({ others, absent, provider }: SetupFacts): Step[] => [
  ...others
    .filter((other) => other.needsToken)
    .map((other) => ({
      title: `Tokens of ${other.provider}`,
      isDone: other.tokens > 0,
      text: `${other.provider}: ${plural(other.tokens, 'usable token')}.`,
      to: paths.admin.tokens,
      where: 'Token Pool',
    })),
  ...(absent.length === 0
    ? []
    : [
        {
          title: 'Providers of plans',
          isDone: false,
          text: `${absent.join(' ')} Its stand-in gets the orders, or else ${provider}.`,
          to: paths.admin.plans,
          where: 'Plans, or MORE_VIDEO_PROVIDERS in the environment',
        },
      ]),
]

function work(facts: SetupFacts): Step[] {
  const { provider, tokens, needsToken, adminsWithoutSecondFactor, hasDelivered } = facts
  const isPreview = provider === 'local'
  return [
    ...facts.asked.map(askedStep),
    {
      title: 'Tokens',
      isDone: !isPreview && (!needsToken || tokens > 0),
      text: isPreview
        ? 'The preview renderer draws sample clips. Choose a provider.'
        : needsToken
          ? `${provider}: ${plural(tokens, 'usable token')}.`
          : `${provider} needs none.`,
      ...(isPreview
        ? { where: 'VIDEO_PROVIDER in the environment' }
        : { to: paths.admin.tokens, where: 'Token Pool' }),
    },
    ...moreProviders(facts),
    {
      title: 'Two-step sign-in',
      isDone: adminsWithoutSecondFactor === 0,
      text:
        adminsWithoutSecondFactor === 0
          ? 'All administrators have it.'
          : `${plural(adminsWithoutSecondFactor, 'administrator')} without it.`,
      to: paths.secondFactor,
      where: 'Two-step sign-in',
    },
    {
      title: 'A test order',
      isDone: hasDelivered,
      text: hasDelivered ? 'A video was delivered.' : 'No video has been delivered lately.',
      to: paths.app,
      where: 'Generate Video',
      verb: 'Ordered in',
    },
  ]
}
