import { Link } from '@remix-run/react'
import type { MouseEvent } from 'react'
import type { CardView } from '~/domain/videos/types'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { buttonClass } from '../ui/button'
import { withGalleryActions } from './gallery-actions-on-demand'
import { useGallery } from './gallery-context'
import { Icon } from '../ui/icon'
import type { IconName } from '../ui/icon-names'
import { useStayingForm } from '../ui/staying-forms'

export type CardAction = 'play' | 'download' | 'regenerate' | 'edit' | 'retry' | 'delete'

type Look = { label: string; icon: IconName }

const LOOKS = {
  play: { label: 'Play', icon: 'play' },
  download: { label: 'Download', icon: 'download' },
  regenerate: { label: 'Regenerate', icon: 'refresh-cw' },
  edit: { label: 'Edit', icon: 'pencil' },
  retry: { label: 'Retry', icon: 'rotate-cw' },
  delete: { label: 'Delete', icon: 'trash-2' },
} as const satisfies Record<CardAction, Look>

const BUTTON = 'icon-btn card-action'

/** The actions for a user's own video on the specification's card. */
export const ownActions = ({ status }: CardView): readonly CardAction[] =>
  status === 'completed'
    ? ['download', 'regenerate', 'edit', 'delete']
    : status === 'error'
      ? ['retry', 'delete']
      : []

/** The actions on My Videos, where a video can also be played. */
export const libraryActions = ({ status, videoUrl }: CardView): readonly CardAction[] => {
  if (status === 'error') return ['retry', 'delete']
  if (videoUrl === null) return ['delete']
  return status === 'completed'
    ? ['play', 'download', 'edit', 'delete']
    : ['play', 'download', 'delete']
}

/**
 * The actions of administrators for any user's video. Regenerating is a bulk action above the
 * cards.
 */
export const allVideosActions = ({ videoUrl }: CardView): readonly CardAction[] =>
  videoUrl === null ? ['delete'] : ['play', 'download', 'delete']

type Props = { card: CardView; actions: readonly CardAction[] }

/** A row of icon buttons below a card. */
export function CardActions({ card, actions }: Props) {
  return (
    <div className="card-actions">
      {actions.map((action) => (
        <ActionLink key={action} card={card} action={action} />
      ))}
    </div>
  )
}

/** The same actions with text labels, where there is only one video and enough room. */
export function NamedActions({ card, actions }: Props) {
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <ActionLink key={action} card={card} action={action} isNamed />
      ))}
    </div>
  )
}

type LinkProps = { card: CardView; action: CardAction; isNamed?: boolean }

/**
 * A link that works without scripts: to the file, or to the dialog that confirms the action. With
 * scripts the browser asks, and the dialog's form is sent without it.
 */
function ActionLink({ card, action, isNamed = false }: LinkProps) {
  const { search, scope } = useGallery()
  const sendForm = useStayingForm()
  const { label, icon } = LOOKS[action]
  const look = isNamed
    ? { className: buttonClass('plain') }
    : {
        className: BUTTON,
        'aria-label': `${label}: ${excerpt(card.prompt, 40)}`,
        'data-tooltip': label,
      }
  const act = (run: () => Promise<void>) => (event: MouseEvent) => {
    event.preventDefault()
    void run()
  }
  const content = (
    <>
      <Icon name={icon} className="size-4" />
      {isNamed && label}
    </>
  )
  if (action === 'download') {
    return (
      <a
        href={paths.api.download(card.id)}
        download
        {...look}
        onClick={act(() =>
          withGalleryActions(({ downloadVideo }) => downloadVideo(card.id, scope)),
        )}
      >
        {content}
      </a>
    )
  }
  const dialog = action === 'play' ? 'preview' : action
  const intent = action === 'play' || action === 'edit' ? undefined : action
  return (
    <Link
      to={dialogAddress(search, dialog, card.id)}
      preventScrollReset
      {...look}
      {...(intent && {
        onClick: act(() =>
          withGalleryActions(({ confirmAction }) =>
            sendForm({ intent, on: card.id, isConfirmed: () => confirmAction(intent) }),
          ),
        ),
      })}
    >
      {content}
    </Link>
  )
}
