import { announcementFields } from '~/domain/administration/shown'
import type { Announcement } from '~/domain/business/types'
import type { AnnouncementInput } from '~/domain/business/schemas'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field, SelectField, TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { useShownForm } from '~/components/ui/use-shown-form'

const LEVELS = [
  { value: 'info', label: 'Information' },
  { value: 'warning', label: 'Warning' },
]

/** The banner above all pages of signed-in users: its text, and on which days it is shown. */
export function AnnouncementPanel({ announcement }: { announcement: Announcement | null }) {
  const [form, fields, before] = useShownForm<AnnouncementInput>('announce', {
    shown: announcementFields(announcement),
  })
  return (
    <Card title="Announcement">
      <p className="mb-4 text-sm text-soft">
        {announcement
          ? 'Every user sees it until they close it. Saving shows it to everyone again.'
          : 'There is none. Every signed-in user sees it above each page until they close it.'}
      </p>
      <ActionForm {...form} intent="announce" preventScrollReset className="space-y-4">
        <TextAreaField field={fields.text} label="Text" rows={3} maxLength={300} required />
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
          <SelectField field={fields.level} label="Level" options={LEVELS} />
          <Field field={fields.fromDay} label="First day" type="date" />
          <Field field={fields.untilDay} label="Last day" type="date" />
        </div>
        <SubmitButton intent="announce" pending="Saving…">
          {announcement ? 'Save' : 'Announce'}
        </SubmitButton>
        <HiddenFields fields={before} />
      </ActionForm>
      {announcement && (
        <ActionForm intent="end-announcement" preventScrollReset className="mt-3">
          <SubmitButton intent="end-announcement" look="plain" pending="Ending…">
            End the announcement
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}
