/**
 * Actions on sign-in and account access, by any user. They have their own retention in the activity
 * log (KEEP_ACCESS_DAYS).
 */
export const ACCESS_ACTIONS = {
  'auth.register': 'registered',
  'auth.sign-in': 'signed in',
  'auth.failure': 'failed to sign in',
  'auth.locked': 'was locked out after failed tries',
  'auth.refused': 'was refused: the account is disabled',
  'auth.sign-out': 'signed out',
  'auth.password': 'changed their password',
  'auth.wrong-password': 'gave a wrong password',
  'auth.confirm': 'confirmed who they are',
  'auth.first-password': 'set their first password by link',
  'auth.end-sessions': 'ended their sessions',
  'auth.second-factor-on': 'switched two-step sign-in on',
  'auth.second-factor-off': 'switched two-step sign-in off',
  'auth.new-recovery-codes': 'made new recovery codes',
  'auth.api-key': 'made an API key',
  'auth.end-api-key': 'ended an API key',
  'auth.wrong-code': 'gave a wrong sign-in code',
  'auth.recovery-code': 'signed in with a recovery code',
  'auth.second-factor-command': 'switched two-step sign-in off by command, for',
} as const satisfies Record<string, string>

export type AccessAction = keyof typeof ACCESS_ACTIONS

/** All actions in the activity log, as worded on its page. */
export const ACTIVITY_ACTIONS = {
  ...ACCESS_ACTIONS,
  'user.create': 'created a user',
  'user.quick-create': 'created a user with Quick Create',
  'user.import': 'imported a user',
  'user.edit': 'edited a user',
  'user.password-link': 'made a set-password link',
  'user.second-factor-off': 'switched two-step sign-in off for a user',
  'user.renew': 'renewed a user',
  'user.reset-counter': 'reset a counter',
  'user.delete': 'deleted a user',
  'user.restore': 'restored a user',
  'user.add-days': 'added days',
  'user.change-plan': 'changed the plan',
  'user.gift-quota': 'gave quota',
  'user.disable': 'disabled a user',
  'user.unlock': 'unlocked sign-in',
  'user.note': 'changed the note about a user',
  'user.contact': 'wrote to a user in the chat',
  'user.api-keys': 'changed whether a user may have API keys',
  'user.end-api-key': 'ended an API key of a user',
  'user.undo': 'undid a change',
  'user.rights': 'changed the rights of a helper',
  'helper.ask': 'asked the administrator to regenerate videos',
  'helper.ask-payment': 'asked the administrator to confirm a payment',
  'helper.approve': 'approved a helper’s request',
  'helper.decline': 'declined a helper’s request',
  'users.reset-counters': 'reset all counters',
  'users.delete-all': 'deleted all users',
  'users.export': 'downloaded all data',
  'users.export-tokens': 'downloaded all data with tokens in clear',
  'log.export': 'downloaded the activity log',
  'tokens.assign': 'assigned tokens to all users',
  'token.add': 'added a pool token',
  'token.remove': 'removed a pool token',
  'tokens.remove-all': 'emptied the token pool',
  'token.test': 'tested a pool token',
  'token.edit': 'edited a token',
  'token.try-now': 'ended the pause of a token',
  'token.pause': 'paused the account of a token',
  'token.death': 'found a token dead',
  'token.replace': 'replaced a token',
  'token.revive': 'revived a token',
  'tokens.remove-dead': 'removed dead tokens',
  'tokens.undo-removal': 'brought removed tokens back',
  'video.delete': 'deleted a video',
  'videos.delete': 'deleted videos',
  'video.restore': 'restored videos',
  'videos.regenerate': 'regenerated videos',
  'videos.regenerated': 'finished regenerating videos',
  'videos.stop': 'stopped a run over many videos',
  'payment.record': 'recorded a payment',
  'payment.confirm': 'confirmed a payment',
  'payment.reject': 'rejected a payment',
  'payment.refund': 'refunded a payment',
  'payment.undo': 'undid what was paid for, and rejected the payment',
  'payments.export': 'downloaded the payments',
  'codes.make': 'made prepaid codes',
  'codes.block': 'blocked prepaid codes',
  'codes.open': 'opened prepaid codes again',
  'user.redeem': 'redeemed a prepaid code',
  'user.refer': 'gave the reward of a referral',
  'prompt.create': 'created a prompt',
  'prompts.import': 'imported prompts',
  'prompt.edit': 'edited a prompt',
  'prompt.delete': 'deleted a prompt',
  'prompt.set-daily': 'set the daily prompt',
  'prompt.unpin': 'let the daily prompt change again',
  'setting.contacts': 'changed the contacts',
  'setting.payment': 'changed the payment accounts',
  'setting.announcement': 'changed the announcement',
  'setting.pause': 'paused or resumed new orders',
  'setting.alarms': 'changed the alarms',
  'setting.chat-texts': 'changed the chat texts',
  'setting.plan': 'changed a plan',
  'setting.plan-route': 'gave accounts the providers of their plan',
  'setting.video-cost': 'changed the cost of a video',
  'setting.code-income': 'changed when prepaid codes are income',
  'setting.referral': 'changed what a referral brings',
  'setting.setup': 'marked a step of the set-up',
} as const satisfies Record<string, string>

export type ActivityAction = keyof typeof ACTIVITY_ACTIONS
export type ActivitySubjectKind = 'user' | 'token' | 'video' | 'batch' | 'prompt' | 'payment'

/** A state before or after an action: plain values by field. Tokens appear only masked. */
export type ActivityFacts = Readonly<Record<string, string | number | boolean | null>>

/**
 * An entry that a command writes. `count` is the number of rows if the entry has no single subject.
 */
export type ActivityEntry = {
  action: ActivityAction
  subject?: { kind: ActivitySubjectKind; id: string; name: string }
  before?: ActivityFacts
  after?: ActivityFacts
  count?: number
}

export type ActivityEntryView = {
  id: string
  at: string
  actorName: string
  action: ActivityAction
  subjectKind: ActivitySubjectKind | null
  subjectId: string | null
  subjectName: string | null
  before: ActivityFacts | null
  after: ActivityFacts | null
  count: number
}

/** Returns the activity log filters that are set. The cursor `after` is not a filter. */
export function filtersOf(query: Readonly<Record<string, string | undefined>>) {
  const filters: Record<string, string> = {}
  for (const [name, value] of Object.entries(query))
    if (name !== 'after' && value !== undefined && value !== '') filters[name] = value
  return filters
}

/** Returns why the activity log shows no entries for its filters. */
export const noMatchText = ({
  from,
  to,
}: {
  from?: string | undefined
  to?: string | undefined
}) =>
  from !== undefined && to !== undefined && from > to
    ? 'The dates are reversed: From is after To.'
    : 'No entries match these filters.'
