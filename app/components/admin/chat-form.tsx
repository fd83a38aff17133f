import type { ChatOccasion } from '~/domain/business/types'
import { paths } from '~/lib/paths'
import { ActionForm } from '../ui/action-form'
import { Button } from '../ui/button'
import { Icon } from '../ui/icon'

type Props = {
  id: string
  username: string
  occasion: ChatOccasion
  /** Whether the customer was written to already. */
  isAgain?: boolean
}

/** A button that notes the contact and opens the customer's chat with the text for the occasion. */
export const ChatForm = ({ id, username, occasion, isAgain = false }: Props) => (
  <ActionForm intent="chat" action={paths.admin.chat(id)} target="_blank" reloadDocument>
    <input type="hidden" name="occasion" value={occasion} />
    <Button look="plain" className="md:min-h-9 md:px-3" aria-label={`Chat with ${username}`}>
      <Icon name={isAgain ? 'check' : 'message-circle'} className="size-4" />
      Chat
    </Button>
  </ActionForm>
)
