import { useLocation } from '@remix-run/react'
import type { FormEvent } from 'react'
import { paths } from '~/lib/paths'
import { postForm } from '~/lib/post-form'
import { FormIdentity } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { Icon } from '../ui/icon'

const CHOICES = [
  { theme: 'dark', label: 'Dark theme', icon: 'moon', shown: 'shown-in-light' },
  { theme: 'light', label: 'Light theme', icon: 'sun', shown: 'shown-in-dark' },
] as const

/**
 * Two buttons, of which the style sheet shows the one for the other theme, because only the browser
 * knows the system's theme. A plain form, so that the next page already has the chosen theme.
 * Scripts change the page at once (public pages: public/enhance.js).
 */
export function ThemeToggle() {
  const { pathname, search } = useLocation()
  return (
    <form method="post" action={paths.theme} onSubmit={choose} data-theme-toggle>
      <FormIdentity intent="theme" />
      <input type="hidden" name="returnTo" value={pathname + search} />
      {CHOICES.map(({ theme, label, icon, shown }) => (
        <button
          key={theme}
          name="theme"
          value={theme}
          aria-label={label}
          data-tooltip={label}
          className={buttonClass('quiet', `bar-icon ${shown}`)}
        >
          <Icon name={icon} className="size-5" />
        </button>
      ))}
    </form>
  )
}

function choose(event: FormEvent<HTMLFormElement>): void {
  const { currentTarget: form, nativeEvent } = event
  const button = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
  if (!(button instanceof HTMLButtonElement)) return
  event.preventDefault()
  document.documentElement.dataset.theme = button.value
  void postForm(form, { theme: button.value })
}
