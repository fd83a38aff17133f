import { AtSign, MessageCircle, Share2 } from 'lucide-react'
import { chatLink } from '~/lib/chat-link'
import { buttonClass } from '../ui/button'
import { usePublicData } from './use-public-data'

/** The operator's social page, a chat with a prepared message, and e-mail. */
export function ContactLinks() {
  const { contacts, product } = usePublicData()
  const links = [
    { label: 'Social page', href: contacts.socialUrl, icon: Share2 },
    {
      label: 'Chat',
      href: chatLink(contacts.chatNumber, `Hello, I would like to buy a ${product} plan.`),
      icon: MessageCircle,
    },
    { label: 'E-mail', href: `mailto:${contacts.email}`, icon: AtSign },
  ]
  return (
    <ul className="flex gap-1" aria-label="Contact">
      {links.map(({ label, href, icon: Icon }) => (
        <li key={label}>
          <a href={href} rel="noreferrer" aria-label={label} className={buttonClass('quiet', '!px-3')}>
            <Icon aria-hidden className="size-5" />
          </a>
        </li>
      ))}
    </ul>
  )
}
