import type { ChatLanguage } from '~/domain/business/types'
import { chatLink } from '~/lib/chat-link'
import { buttonClass } from '../ui/button'

type Props = {
  languages: readonly ChatLanguage[]
  phone: string
  /** The message in a language. */
  messageIn: (language: ChatLanguage) => string
  /** Whose chat it is, where a page has several. */
  whose?: string
}

/** Links that open a customer's chat with a message, one for each of the operator's languages. */
export function ChatLinks({ languages, phone, messageIn, whose }: Props) {
  return languages.map((language) => {
    const label = languages.length === 1 ? 'Open chat' : `Chat, ${language.name}`
    return (
      <a
        key={language.name}
        href={chatLink(phone, messageIn(language))}
        target="_blank"
        rel="noreferrer"
        aria-label={whose === undefined ? undefined : `${label}: ${whose}`}
        className={buttonClass('plain')}
      >
        {label}
      </a>
    )
  })
}
