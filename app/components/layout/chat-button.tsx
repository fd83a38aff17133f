import type { UserView } from '~/domain/accounts/types'
import { chatLink } from '~/lib/chat-link'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import { useRootData } from '../ui/use-root-data'

type Props = { chatNumber: string; user: Pick<UserView, 'username' | 'role'> }

const LABEL = 'Chat with us'

/**
 * Opens a chat with the operator, with a message that names the account. Administrators are the
 * operator.
 */
export function ChatButton({ chatNumber, user: { username, role } }: Props) {
  const product = useRootData()?.product ?? ''
  if (role === 'admin') return null
  return (
    <a
      href={chatLink(
        chatNumber,
        `Hello, I have a question about ${product}. My account: ${username}.`,
      )}
      target="_blank"
      rel="noreferrer"
      aria-label={LABEL}
      data-tooltip={LABEL}
      className={buttonClass('quiet', 'bar-icon')}
    >
      <Icon name="message-circle" className="size-5" />
    </a>
  )
}
