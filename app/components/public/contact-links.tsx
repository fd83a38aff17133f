import { chatLink } from '~/lib/chat-link'
import { buttonClass } from '../ui/button'
import { usePublicData } from './use-public-data'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon-names'

/** The operator's social page, a chat with a prepared message, and e-mail. */
export function ContactLinks() {
  const { contacts, product } = usePublicData()
  const links: { label: string; href: string; icon: IconName }[] = [
    { label: 'Social page', href: contacts.socialUrl, icon: 'share-2' },
    {
      label: 'Chat',
      href: chatLink(contacts.chatNumber, `Hello, I would like to buy a ${product} plan.`),
      icon: 'message-circle',
    },
    { label: 'E-mail', href: `mailto:${contacts.email}`, icon: 'at-sign' },
  ]
  return (
    <ul className="flex gap-1" aria-label="Contact">
      {links.map(({ label, href, icon }) => (
        <li key={label}>
          <a
            href={href}
            rel="noreferrer"
            aria-label={label}
            className={buttonClass('quiet', '!px-3')}
          >
            <Icon name={icon} className="size-5" />
          </a>
        </li>
      ))}
    </ul>
  )
}
