import type { ChatOccasion } from '~/domain/business/types'
import { paths } from '~/lib/paths'
import { ActionForm } from '../../ui/action-form'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'

const FORM = 'chat'

/** The form of all chat buttons of a page. A form for each would outweigh all other content. */
export const ChatForm = ({ occasion }: { occasion: ChatOccasion }) => (
  <ActionForm id={FORM} intent="chat" target="_blank" reloadDocument>
    <input type="hidden" name="occasion" value={occasion} />
  </ActionForm>
)

type Props = {
  id: string
  username: string
  /** Whether the customer was written to already. */
  isAgain?: boolean
}

/** A button that notes the contact and opens the customer's chat with the text for the occasion. */
export const ChatButton = ({ id, username, isAgain = false }: Props) => (
  <Button
    form={FORM}
    formAction={paths.admin.chat(id)}
    look="plain"
    className="md:min-h-9 md:px-3"
    aria-label={`Chat with ${username}`}
  >
    <Icon name={isAgain ? 'check' : 'message-circle'} className="size-4" />
    Chat
  </Button>
)
