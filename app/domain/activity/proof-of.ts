import type { PasswordAge } from '../context'
import type { AccessAction, ActivityAction } from './types'

/**
 * How lately the password must have been given for an action: within 15 minutes (`recent`), within 12
 * hours (`today`), for each single one (`each`, with the code of two-step sign-in where that is on),
 * or not at all.
 */
export type ProofNeeded = 'recent' | 'today' | 'each' | 'none'

/**
 * What each action of an administrator needs, at least: what moves buyers, opens accounts or takes away
 * needs a password (decision 40). `logActivity` holds every entry against this table, so an action that
 * is added needs its line here, and a command that forgets to ask fails. A command may need more, such as
 * an edit that changes the role.
 */
export const PROOF_OF: Readonly<Record<Exclude<ActivityAction, AccessAction>, ProofNeeded>> = {
  'user.create': 'today',
  'user.quick-create': 'today',
  'user.import': 'recent',
  'user.edit': 'today',
  'user.password-link': 'recent',
  'user.second-factor-off': 'each',
  'user.renew': 'today',
  'user.reset-counter': 'today',
  'user.delete': 'recent',
  'user.restore': 'recent',
  'user.add-days': 'today',
  'user.change-plan': 'today',
  'user.gift-quota': 'today',
  'user.disable': 'today',
  'user.unlock': 'none',
  'user.note': 'none',
  'user.contact': 'none',
  'user.api-keys': 'recent',
  'user.end-api-key': 'today',
  'user.undo': 'today',
  'user.rights': 'recent',
  'helper.ask': 'none',
  'helper.ask-payment': 'none',
  'helper.approve': 'none',
  'helper.decline': 'none',
  'users.reset-counters': 'today',
  'users.delete-all': 'recent',
  'users.export': 'none',
  'users.export-tokens': 'each',
  'log.export': 'none',
  'tokens.assign': 'recent',
  'token.add': 'recent',
  'token.remove': 'recent',
  'tokens.remove-all': 'recent',
  'token.test': 'none',
  // Its label, its note and what it costs.
  'token.edit': 'none',
  'token.try-now': 'none',
  'token.pause': 'none',
  'token.death': 'none',
  'token.replace': 'recent',
  // Beside the entry of what revived it.
  'token.revive': 'none',
  'tokens.remove-dead': 'recent',
  'tokens.undo-removal': 'recent',
  // Chosen videos need none, all of them a recent one.
  'video.delete': 'none',
  'videos.delete': 'none',
  'video.restore': 'none',
  'videos.regenerate': 'none',
  'videos.regenerated': 'none',
  'videos.stop': 'none',
  'payment.record': 'today',
  'payment.confirm': 'today',
  'payment.reject': 'today',
  'payment.refund': 'recent',
  'payment.undo': 'today',
  'payments.export': 'none',
  'codes.make': 'today',
  'codes.block': 'today',
  'codes.open': 'today',
  // The code is the permission.
  'user.redeem': 'none',
  // It follows from a payment, which needed one.
  'user.refer': 'none',
  'prompt.create': 'none',
  'prompts.import': 'none',
  'prompt.edit': 'none',
  'prompt.delete': 'none',
  'prompt.set-daily': 'none',
  'prompt.unpin': 'none',
  'setting.contacts': 'recent',
  'setting.payment': 'recent',
  'setting.announcement': 'recent',
  'setting.pause': 'recent',
  'setting.alarms': 'recent',
  'setting.chat-texts': 'recent',
  'setting.referral': 'recent',
  'setting.plan': 'recent',
  'setting.plan-route': 'today',
  // Only administrators see it.
  'setting.video-cost': 'none',
  'setting.code-income': 'none',
  'setting.setup': 'none',
}

/** Returns whether a password of this age is enough. What is asked for each time is not asked here. */
export const isEnough = (age: PasswordAge, needed: ProofNeeded): boolean =>
  needed === 'none' || needed === 'each' || age === 'recent' || age === needed
