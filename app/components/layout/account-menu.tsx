import { Link, NavLink, useLocation } from '@remix-run/react'
import type { FormEvent } from 'react'
import type { LayoutData } from '~/http/loaders/layout.server'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { postForm } from '~/lib/post-form'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'
import { PlainSheet } from '../ui/tool-sheet'
import { AccountCard, useToday } from './account-card'
import { CHANGE_PASSWORD } from './change-password-address'
import { ChatButton } from './chat-button'
import { ThemeToggle } from './theme-toggle'

type Props = Pick<
  LayoutData,
  | 'user'
  | 'standing'
  | 'quota'
  | 'monthLimit'
  | 'mayUseApi'
  | 'hasNotifications'
  | 'chatNumber'
  | 'mayInvite'
> & { isCollapsed: boolean }

/**
 * The line at the foot of the sidebar, with the number, the plan and today's use. It opens all that
 * belongs to the signed-in person, over the sidebar or, where that is collapsed, beside it.
 */
export function AccountMenu({ isCollapsed, standing, mayUseApi, ...rest }: Props) {
  const { chatNumber, mayInvite, ...account } = rest
  const { user, hasNotifications } = account
  const { search } = useLocation()
  const today = useToday(account)
  const inWords = isCollapsed ? 'md:sr-only' : ''
  // The plan comes last: where there is no room for all, it is cut.
  const use = `· ${standing === 'expired' ? 'Expired' : today} · ${user.plan ?? 'No plan'}`
  return (
    <PlainSheet
      buttonClass={`side-row tiny:flex-wrap tiny:gap-y-0 ${isCollapsed ? 'md:justify-center md:px-0' : ''}`}
      sheetClass={isCollapsed ? 'is-beside' : ''}
      button={
        <>
          <Icon name="circle-user" className="size-5 shrink-0" />
          <span className={`min-w-0 max-w-[75%] shrink-0 truncate text-ink ${inWords}`}>
            {user.username}
          </span>
          <span className={`-ml-2 min-w-0 truncate text-xs tabular-nums ${inWords}`}>{use}</span>
        </>
      }
    >
      <AccountCard {...account} />
      <ul>
        <Row to={paths.usage} label="Usage" />
        {mayInvite && (
          <li>
            <Link to={paths.inviteCard} className="side-row">
              Invite others
            </Link>
          </li>
        )}
        {hasNotifications && <Row to={paths.notifications} label="Notifications" />}
        <Row to={paths.sessions} label="Devices" />
        <li>
          <Link to={dialogAddress(search, CHANGE_PASSWORD)} preventScrollReset className="side-row">
            Change Password
          </Link>
        </li>
        {mayUseApi && <Row to={paths.apiKeys} label="API keys" />}
        <li>
          <Link to={paths.paid} reloadDocument className="side-row">
            I have paid
          </Link>
        </li>
        {user.role === 'admin' && <Row to={paths.secondFactor} label="Two-step sign-in" />}
      </ul>
      <div className="flex items-center gap-1 border-t border-line pt-2">
        <LogoutButton />
        <div className="max-md:hidden">
          <ChatButton chatNumber={chatNumber} user={user} />
        </div>
        <div className="tiny:block max-md:hidden">
          <ThemeToggle />
        </div>
      </div>
    </PlainSheet>
  )
}

const Row = ({ to, label }: { to: string; label: string }) => (
  <li>
    <NavLink to={to} className="side-row">
      {label}
    </NavLink>
  </li>
)

const LogoutButton = () => (
  <ActionForm
    intent="logout"
    action={paths.logout}
    reloadDocument
    onSubmit={(event) => void logOut(event)}
    className="grow"
  >
    <button className={buttonClass('quiet', 'w-full !justify-start !px-2.5')}>
      <Icon name="log-out" className="size-5 shrink-0" />
      Logout
    </button>
  </ActionForm>
)

/**
 * Sends the form and goes to the sign-in page. A failure is only logged (specification §8), whereas the
 * browser would show an error page.
 */
async function logOut(event: FormEvent<HTMLFormElement>): Promise<void> {
  event.preventDefault()
  const response = await postForm(event.currentTarget)
  if (response?.type === 'opaqueredirect') window.location.assign(paths.login)
  else console.error('Logout failed:', response?.status)
}
