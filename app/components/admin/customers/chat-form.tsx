import { useLocation } from '@remix-run/react'
import type { ChatOccasion } from '~/domain/business/types'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../../ui/action-form'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'

const FORM = 'chat'

/** The form of all chat buttons of a page. A form for each would outweigh all other content. */
export function ChatForm({ occasion }: { occasion: ChatOccasion }) {
  const { pathname, search } = useLocation()
  return (
    <ActionForm id={FORM} intent="chat" target="_blank" reloadDocument>
      <HiddenFields fields={{ occasion, back: pathname + search }} />
    </ActionForm>
  )
}

type Props = {
  id: string
  username: string
  /** Whether the customer was written to already. */
  isAgain?: boolean
  /** The address with which they set their password, where the page has it. */
  link?: string
  /** One of the operator's languages. Default: that of the customer. */
  language?: string
  onPress?: () => void
}

/** A button that notes the contact and opens the customer's chat with the text for the occasion. */
export function ChatButton({ id, username, isAgain = false, link, language, onPress }: Props) {
  const inLanguage = language === undefined ? '' : `, ${language}`
  return (
    <Button
      form={FORM}
      formAction={paths.admin.chat(id, language)}
      {...(link !== undefined && { name: 'link', value: link })}
      look="plain"
      className="md:min-h-9 md:px-3"
      aria-label={`Chat with ${username}${inLanguage}`}
      onClick={onPress}
    >
      <Icon name={isAgain ? 'check' : 'message-circle'} className="size-4" />
      Chat{inLanguage}
    </Button>
  )
}
