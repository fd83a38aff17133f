import type { Contacts } from '~/domain/context'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Card } from '../../ui/card'
import { Field } from '../../ui/field'
import { SubmitButton } from '../../ui/submit-button'
import { useShownForm } from '../../ui/use-shown-form'
import { DefaultForm } from './default-form'

type Props = { contacts: Contacts; isChanged: boolean }

/** How visitors reach the operator: the links on the public pages. */
export function ContactsPanel({ contacts, isChanged }: Props) {
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
