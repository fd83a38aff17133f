import type { CustomerView } from '~/domain/administration/customers/customer-page.server'
import type { CustomerCard } from '~/domain/administration/types'
import { OCCASION_NAMES } from '~/domain/business/chat-texts'
import { CHAT_OCCASIONS, type ChatOccasion } from '~/domain/business/types'
import { reminderText } from '~/domain/notifications/reminders'
import { paths } from '~/lib/paths'
import { dayTimeAndZone } from '~/lib/time'
import { noteFields } from '~/domain/administration/shown'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Button } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { SelectField, TextAreaField } from '~/components/ui/field'
import { FilterSelect } from '~/components/ui/filter-form'
import { Icon } from '~/components/ui/icon'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'
import { usePlatformZone } from '~/components/ui/use-root-data'

/** New accounts and passwords are written about where they are made, with their link. */
const OCCASIONS = CHAT_OCCASIONS.filter((one) => one !== 'account' && one !== 'password').map(
  (value) => ({ value, label: OCCASION_NAMES[value] }),
)

/** Opens the customer's chat with the text for an occasion, and says when that was done last. */
export function CustomerChat({ customer }: { customer: CustomerView }) {
  const { user, card, hasChat } = customer
  const timeZone = usePlatformZone()
  const { contact } = card
  return (
    <Card title="Chat">
      {hasChat ? (
        <ActionForm
          intent="chat"
          action={paths.admin.chat(user.id)}
          target="_blank"
          reloadDocument
          className="flex flex-wrap items-end gap-2"
        >
          <div className="min-w-0 grow">
            <FilterSelect
              name="occasion"
              label="Text"
              options={OCCASIONS}
              defaultValue={likelyOccasion(customer)}
            />
          </div>
          <Button look="plain">
            <Icon name="message-circle" className="size-4" /> Open chat
          </Button>
        </ActionForm>
      ) : (
        <p className="text-sm text-warn">The number is not complete, so there is no chat for it.</p>
      )}
      <p className="mt-3 text-sm text-soft">
        {contact === null
          ? 'Not written to yet.'
          : `Last written to ${dayTimeAndZone(contact.at, timeZone)}: ${OCCASION_NAMES[contact.occasion]}.`}
      </p>
      {user.reminded.map(({ reminder, channels, at }) => (
        <p key={reminder} className="mt-1 text-sm text-soft">
          Reminded {dayTimeAndZone(at, timeZone)}: {reminderText(reminder, channels)}.
        </p>
      ))}
    </Card>
  )
}

function likelyOccasion({ user: { daysLeft, lastOrderAt } }: CustomerView): ChatOccasion {
  if (daysLeft !== null && daysLeft < 0) return 'ended'
  return lastOrderAt === null ? 'unused' : 'ending'
}

type NoteProps = { id: string; card: CustomerCard; languages: readonly string[] }

/** What administrators note about the customer, and the language of the chat texts. */
export function CustomerNote({ id, card, languages }: NoteProps) {
  const [form, fields, before] = useShownForm<{ note: string; language: string }>('note', {
    shown: noteFields(card),
  })
  const [first = ''] = languages
  const known = card.language === null || languages.includes(card.language) ? [] : [card.language]
  const options = [
    { value: '', label: `Standard (${first})` },
    ...[...languages, ...known].map((value) => ({ value, label: value })),
  ]
  return (
    <Card title="Note">
      <ActionForm {...form} intent="note" preventScrollReset className="space-y-3">
        <TextAreaField
          field={fields.note}
          label="Only administrators see it"
          rows={4}
          maxLength={2000}
          dir="auto"
        />
        {options.length > 2 && (
          <SelectField field={fields.language} label="Language of the chat" options={options} />
        )}
        <input type="hidden" name="id" value={id} />
        <SubmitButton intent="note" look="plain" pending="Saving…">
          Save note
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
    </Card>
  )
}
