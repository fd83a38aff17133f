import { z } from 'zod'
import {
  announce,
  changeAlarms,
  changeContacts,
  changePaymentAccounts,
  changeReferral,
  pauseOrders,
  removeChatLanguage,
  saveChatLanguage,
} from '~/domain/administration/change-business.server'
import {
  ALARMS_TOGETHER,
  alarmFields,
  ANNOUNCEMENT_TOGETHER,
  announcementFields,
  chatFields,
  PAYMENT_TOGETHER,
  paymentFields,
  pauseFields,
  REFERRAL_TOGETHER,
  referralFields,
  type ShownFields,
  type Together,
} from '~/domain/administration/shown'
import { getBusiness, getChatTexts } from '~/domain/business/settings.server'
import { sendTest } from '~/domain/alarms/send-test.server'
import {
  alarmsInput,
  announcementInput,
  chatLanguageInput,
  contactsInput,
  languageInput,
  paymentInput,
  pauseInput,
  referralInput,
} from '~/domain/business/schemas'
import type { AdminCtx } from '~/domain/context'
import { paths } from '~/lib/paths'
import { form, type FormHandler } from '~/http/forms/forms.server'

const nothing = z.object({})
type Business = Awaited<ReturnType<typeof getBusiness>>

/** Returns the form handlers of the settings page by intent. Each leads back to it. */
export function businessForms(ctx: AdminCtx): Record<string, FormHandler> {
  /** Returns what the form of a setting is compared with. */
  const stored =
    <Name extends keyof Business>(
      name: Name,
      fieldsOf: (value: Business[Name]) => ShownFields,
      together: Together = [],
    ) =>
    async () => ({ now: fieldsOf((await getBusiness(ctx))[name]), together })
  return {
    announce: form('The announcement was not changed', announcementInput, {
      shown: stored('announcement', announcementFields, ANNOUNCEMENT_TOGETHER),
      run: async (input) => {
        await announce(ctx, input)
        return done('Announcement saved')
      },
    }),
    'end-announcement': form('The announcement was not changed', nothing, async () => {
      await announce(ctx, null)
      return done('Announcement ended')
    }),
    pause: form('New orders were not paused', pauseInput, {
      shown: stored('pause', pauseFields),
      run: async (input) => {
        await pauseOrders(ctx, input)
        return done('New orders are paused')
      },
    }),
    resume: form('New orders were not resumed', nothing, async () => {
      await pauseOrders(ctx, null)
      return done('New orders are accepted again')
    }),
    referral: form('The referral was not changed', referralInput, {
      shown: stored('referral', referralFields, REFERRAL_TOGETHER),
      run: async (input) => {
        await changeReferral(ctx, input)
        return done('The referral is on')
      },
    }),
    'end-referral': form('The referral was not changed', nothing, async () => {
      await changeReferral(ctx, null)
      return done('The referral is off')
    }),
    contacts: form('The contacts were not changed', contactsInput, {
      shown: stored('contacts', (contacts) => contacts),
      run: async (input) => {
        await changeContacts(ctx, input)
        return done('Contacts saved')
      },
    }),
    'contacts-default': form('The contacts were not changed', nothing, async () => {
      await changeContacts(ctx, null)
      return done('Contacts are those of the environment')
    }),
    payment: form('The payment accounts were not changed', paymentInput, {
      shown: stored('payment', paymentFields, PAYMENT_TOGETHER),
      run: async (input) => {
        await changePaymentAccounts(ctx, input)
        return done('Payment accounts saved')
      },
    }),
    alarms: form('The alarms were not changed', alarmsInput, {
      shown: stored('alarms', alarmFields, ALARMS_TOGETHER),
      run: async (input) => {
        await changeAlarms(ctx, input)
        return done('Alarms saved')
      },
    }),
    'test-alarms': form('Nothing was sent', nothing, async () => {
      const channels = await sendTest(ctx)
      return done(`Test sent by ${channels.join(' and ')}`)
    }),
    'payment-default': form('The payment accounts were not changed', nothing, async () => {
      await changePaymentAccounts(ctx, null)
      return done('Payment accounts are those of the environment')
    }),
    'chat-texts': form('The chat texts were not changed', chatLanguageInput, {
      shown: async (data) => {
        const languages = await getChatTexts(ctx)
        const language = languages.find(({ name }) => name === data.get('was'))
        return language ? { now: chatFields(language) } : null
      },
      run: async (input) => {
        await saveChatLanguage(ctx, input)
        return { ...done('Chat texts saved'), to: paths.admin.chatTexts(input.name) }
      },
    }),
    'remove-language': form('The chat texts were not changed', languageInput, async ({ was }) => {
      await removeChatLanguage(ctx, was)
      return done('Chat texts removed')
    }),
  }
}

const done = (title: string) => ({
  to: paths.admin.settings,
  toast: { kind: 'success', title } as const,
})
