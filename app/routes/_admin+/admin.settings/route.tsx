import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { AlarmsPanel } from './alarms-panel'
import { AnnouncementPanel } from './announcement-panel'
import { ChatTextsPanel } from './chat-texts-panel'
import { PageHeader } from '~/components/admin/page-header'
import { PausePanel } from './pause-panel'
import { PaymentPanel } from './payment-panel'
import { ReferralPanel } from './referral-panel'
import { ActionToast } from '~/components/ui/toasts'
import { getBusiness } from '~/domain/business/settings.server'
import { readyAlarmChannels } from '~/domain/notifications/targets.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { pageMeta } from '~/lib/title'
import { businessForms } from './route.server'
import type { Contacts } from '~/domain/context'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'
import { DefaultForm } from './default-form'

export const meta: MetaFunction = () => pageMeta('Settings')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const business = await getBusiness(ctx)
  const language = new URL(request.url).searchParams.get('language')
  const { timeZone } = ctx.settings
  return json({ ...business, language, ready: readyAlarmChannels(ctx), timeZone })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, businessForms(requireAdmin(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What the operator changes in business. Changes take effect at once, without a restart. */
export default function SettingsPage() {
  const { announcement, pause, contacts, payment, chatTexts, isChanged, ...rest } =
    useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Settings"
        note="Changes take effect at once. Saving asks for your password."
      />
      {/* Two columns, so that a short card leaves no hole beside a long one. */}
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-2 xl:items-start">
        <div className="grid grid-cols-1 gap-4">
          <AnnouncementPanel key={announcement?.id} announcement={announcement} />
          <PausePanel pause={pause} />
          <ContactsPanel contacts={contacts} isChanged={isChanged.contacts} />
          <PaymentPanel accounts={payment} isChanged={isChanged.payment} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <ReferralPanel referral={rest.referral} />
          <AlarmsPanel alarms={rest.alarms} ready={rest.ready} timeZone={rest.timeZone} />
          <ChatTextsPanel
            languages={chatTexts}
            language={rest.language}
            isChanged={isChanged.chatTexts}
          />
        </div>
      </div>
    </div>
  )
}

type Props = { contacts: Contacts; isChanged: boolean }

/** How visitors reach the operator: the links on the public pages. */
function ContactsPanel({ contacts, isChanged }: Props) {
  const [form, fields, before] = useShownForm<Contacts>('contacts', { shown: contacts })
  return (
    <Card title="Contacts">
      <ActionForm {...form} intent="contacts" preventScrollReset className="space-y-4">
        <Field
          field={fields.chatNumber}
          label="Chat number"
          type="tel"
          hint="With its country code. Buyers order in this chat."
          required
        />
        <Field field={fields.email} label="E-mail" type="email" required />
        <Field field={fields.socialUrl} label="Social page" type="url" required />
        <SubmitButton intent="contacts" pending="Saving…">
          Save contacts
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      {isChanged && <DefaultForm intent="contacts-default" />}
    </Card>
  )
}
