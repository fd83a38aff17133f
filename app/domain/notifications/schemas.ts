import { z } from 'zod'
import { trimmedText } from '~/lib/fields'
import { timeOfDay } from '../business/schemas'
import { NOTIFICATION_LIMITS } from './rules'
import { NOTIFICATION_CHANNELS } from './types'

/** Asks for the link that confirms an e-mail address. */
export const notificationEmailForm = z.object({
  email: trimmedText({
    label: 'E-mail address',
    max: NOTIFICATION_LIMITS.addressCharacters,
    tooShort: 'E-mail address is required',
  }).refine(
    (value) => z.string().email().safeParse(value).success,
    'This is not an e-mail address',
  ),
})

const isTicked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** Sets the address that a program listens at. The command checks where it leads. */
export const notificationWebhookForm = z.object({
  url: trimmedText({
    label: 'Web address',
    max: NOTIFICATION_LIMITS.urlCharacters,
    tooShort: 'Web address is required',
  }),
  eachClip: isTicked,
})

/** Tests a channel, or turns it off. */
export const notificationChannelForm = z.object({ channel: z.enum(NOTIFICATION_CHANNELS) })

/** What a browser hands out when it is to be told (`PushSubscription.toJSON`). The command checks it. */
export const notificationDeviceForm = z.object({
  endpoint: z.string().url().max(NOTIFICATION_LIMITS.endpointCharacters),
  p256dh: z.string().max(200),
  auth: z.string().max(100),
})

/** Removes a browser. */
export const notificationRemoveForm = z.object({ id: z.string().uuid() })

/** Of what a user is reminded, and when not. */
export const reminderForm = z
  .object({
    planEnd: isTicked,
    nearlyUsed: isTicked,
    quietFrom: timeOfDay,
    quietUntil: timeOfDay,
  })
  .superRefine(({ quietFrom, quietUntil }, ctx) => {
    if ((quietFrom === null) === (quietUntil === null)) return
    const missing = quietFrom === null ? 'quietFrom' : 'quietUntil'
    ctx.addIssue({ code: 'custom', path: [missing], message: 'Quiet hours need both times' })
  })

/** A form with no fields. */
export const emptyForm = z.object({})

/** The page that the link in a mail opens. */
export const confirmEmailForm = z.object({ token: z.string().max(100).default('') })
