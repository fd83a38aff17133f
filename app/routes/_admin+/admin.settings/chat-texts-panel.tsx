import { Link } from '@remix-run/react'
import { ENGLISH, OCCASION_NAMES, textField } from '~/domain/business/chat-texts'
import { CHAT_FIELDS, CHAT_OCCASIONS, type ChatLanguage } from '~/domain/business/types'
import { paths } from '~/lib/paths'
import { chatFields } from '~/domain/administration/shown'
import { ActionForm, HiddenFields } from '~/components/ui/action-form'
import { Card } from '~/components/ui/card'
import { Field, TextAreaField } from '~/components/ui/field'
import { SubmitButton } from '~/components/ui/submit-button'
import { textLinkClass } from '~/components/ui/text-link'
import { useShownForm } from '~/components/ui/use-shown-form'

type Props = {
  languages: readonly ChatLanguage[]
  /** The language that the address names; empty for a new one, null for none. */
  language: string | null
  isChanged: boolean
}

/** What the chat buttons write to customers, in each of the operator's languages. */
export function ChatTextsPanel({ languages, language, isChanged }: Props) {
  const shown = languages.find(({ name }) => name === language) ?? languages[0] ?? ENGLISH
  const isNew = language === ''
  return (
    <Card title="Chat texts">
      <p className="text-sm text-soft">
        The chat buttons for customers write these texts. In them{' '}
        {CHAT_FIELDS.map((name) => `{${name}}`).join(', ')} are filled in.
      </p>
      <nav aria-label="Languages" className="my-2 flex flex-wrap gap-x-4 text-sm">
        {languages.map(({ name }) => (
          <Language key={name} to={name} isCurrent={!isNew && name === shown.name}>
            {name}
          </Language>
        ))}
        <Language to="" isCurrent={isNew}>
          Add a language
        </Language>
      </nav>
      <TextsForm
        key={isNew ? '' : shown.name}
        language={isNew ? { ...ENGLISH, name: '' } : shown}
        was={isNew ? '' : shown.name}
      />
      {isChanged && !isNew && (
        <ActionForm intent="remove-language" preventScrollReset className="mt-3">
          <input type="hidden" name="was" value={shown.name} />
          <SubmitButton intent="remove-language" look="plain">
            {languages.length > 1 ? `Remove ${shown.name}` : 'Use the standard texts'}
          </SubmitButton>
        </ActionForm>
      )}
    </Card>
  )
}

type LanguageProps = { to: string; isCurrent: boolean; children: string }

const Language = ({ to, isCurrent, children }: LanguageProps) => (
  <Link
    to={paths.admin.chatTexts(to)}
    preventScrollReset
    aria-current={isCurrent ? 'true' : undefined}
    className={`${textLinkClass} ${isCurrent ? 'font-semibold' : ''}`}
  >
    {children}
  </Link>
)

type Texts = { name: string } & Record<ReturnType<typeof textField>, string>

function TextsForm({ language, was }: { language: ChatLanguage; was: string }) {
  const [form, fields, before] = useShownForm<Texts>('chat-texts', {
    shown: chatFields(language),
  })
  return (
    <ActionForm {...form} intent="chat-texts" preventScrollReset className="scroll-mt-20 space-y-4">
      <input type="hidden" name="was" value={was} />
      <div className="sm:max-w-xs">
        <Field field={fields.name} label="Language" maxLength={30} required />
      </div>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {CHAT_OCCASIONS.map((occasion) => (
          <TextAreaField
            key={occasion}
            field={fields[textField(occasion)]}
            label={OCCASION_NAMES[occasion]}
            rows={ENGLISH.texts[occasion].includes('\n') ? 7 : 4}
            maxLength={1000}
            required
            dir="auto"
          />
        ))}
      </div>
      <SubmitButton intent="chat-texts" pending="Saving…">
        Save chat texts
      </SubmitButton>
      {was !== '' && <HiddenFields fields={before} />}
    </ActionForm>
  )
}
