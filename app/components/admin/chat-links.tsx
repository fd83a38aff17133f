import type { ChatLinkView } from '~/domain/administration/types'
import { buttonClass } from '../ui/button'

type Props = {
  chats: readonly ChatLinkView[]
  /** Whose chat it is, where a page has several. */
  whose?: string
}

/** Links that open a customer's chat with a message, one for each of the operator's languages. */
export function ChatLinks({ chats, whose }: Props) {
  return chats.map(({ language, href }) => {
    const label = chats.length === 1 ? 'Open chat' : `Chat, ${language}`
    return (
      <a
        key={language}
        href={href}
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
