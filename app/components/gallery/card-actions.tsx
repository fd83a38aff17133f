import { Link } from '@remix-run/react'
import type { MouseEvent } from 'react'
import { isRefused } from '~/domain/videos/rules'
import type { CardView } from '~/domain/videos/types'
import { titleOf } from '~/domain/videos/video-names'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import {
  ACTIONS,
  PRESSED_ACTIONS,
  type AskedVideoAction,
  type PressedVideoAction,
  type VideoAction,
} from './actions'
import { confirmAction } from './action-texts'
import { downloadVideo } from './downloads'
import { useGallery } from './gallery-context'
import { Icon } from '../ui/icon'
import { useStayingForm } from '../ui/staying-forms'

const BUTTON = 'icon-btn card-action'

/**
 * The actions for a video, the same in every gallery. A press on its picture plays it. What was refused
 * is edited first: the same prompt would fail again.
 */
export const actionsOf = (
  video: Pick<CardView, 'status' | 'videoUrl' | 'errorMessage'>,
): readonly VideoAction[] => {
  const { status, videoUrl } = video
  if (status === 'completed') return ['download', 'regenerate', 'edit', 'delete']
  if (status === 'error')
    return isRefused(video) ? ['edit', 'retry', 'delete'] : ['retry', 'delete']
  // While a video is made again, the clip of before is still there.
  return videoUrl === null ? ['delete'] : ['download', 'delete']
}

/** Returns what can be done with the star of a video. What has no clip cannot be kept. */
const starActionOf = ({
  videoUrl,
  starred,
}: Pick<CardView, 'videoUrl' | 'starred'>): PressedVideoAction | null =>
  starred ? 'unstar' : videoUrl === null ? null : 'star'

type Props = { card: CardView; actions: readonly VideoAction[] }

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
export function NamedActions({ card, actions, isOwn }: Props & { isOwn: boolean }) {
  return (
    <div className="flex flex-wrap gap-2">
      {actions.map((action) => (
        <ActionLink key={action} card={card} action={action} isNamed />
      ))}
      {isOwn && <MoreLink card={card} />}
      {isOwn && <StarButton card={card} isNamed />}
    </div>
  )
}

/** Links to the order of more videos like this one, once it has a clip. Only for its owner. */
export const MoreLink = ({ card }: { card: About & Pick<CardView, 'videoUrl'> }) =>
  card.videoUrl !== null && <ActionLink card={card} action="more" isNamed />

type About = Pick<CardView, 'id' | 'prompt' | 'starred'>
type LinkProps = { card: About; action: VideoAction; isNamed?: boolean }

const asks = (action: VideoAction): action is AskedVideoAction => ACTIONS[action].by === 'question'

/**
 * A link that works without scripts: to the file, or to the dialog that confirms the action. With
 * scripts the browser asks, and the dialog's form is sent without it.
 */
function ActionLink({ card, action, isNamed = false }: LinkProps) {
  const { search, scope } = useGallery()
  const sendForm = useStayingForm()
  const { label, icon } = ACTIONS[action]
  const look = isNamed
    ? { className: buttonClass('plain') }
    : {
        className: BUTTON,
        'aria-label': `${label}: ${excerpt(titleOf(card), 40)}`,
        'data-tooltip': label,
      }
  const act = (run: () => void) => (event: MouseEvent) => {
    event.preventDefault()
    run()
  }
  const content = (
    <>
      <Icon name={icon} className="size-4" />
      {isNamed && <span>{label}</span>}
    </>
  )
  if (action === 'download') {
    return (
      <a
        href={paths.api.download(card.id)}
        download
        {...look}
        onClick={act(() => void downloadVideo(card.id, scope))}
      >
        {content}
      </a>
    )
  }
  const intent = asks(action) ? action : undefined
  return (
    <Link
      to={dialogAddress(search, action, card.id)}
      preventScrollReset
      {...look}
      {...(intent && {
        onClick: act(() =>
          sendForm({
            intent,
            on: card.id,
            isConfirmed: () => confirmAction(intent, { scope, starred: card.starred }),
          }),
        ),
      })}
    >
      {content}
    </Link>
  )
}

type StarProps = {
  card: Pick<CardView, 'id' | 'prompt' | 'videoUrl' | 'starred'>
  isNamed?: boolean
}

/**
 * Gives the video a star, or takes it away: a button without a question, of one of the gallery's
 * `PressedForms`. Only owners star; others see a star that there is.
 */
export function StarButton({ card, isNamed = false }: StarProps) {
  const { scope } = useGallery()
  const sendForm = useStayingForm()
  const action = starActionOf(card)
  const isOthers = scope === 'all'
  if (action === null || (isOthers && !card.starred)) return null
  const { label, icon } = ACTIONS[action]
  const press = (event: MouseEvent) => {
    event.preventDefault()
    sendForm({ intent: action, on: card.id, isConfirmed: () => true })
  }
  return (
    <button
      form={formOf(action)}
      name="on"
      value={card.id}
      onClick={press}
      disabled={isOthers}
      {...(isNamed
        ? { className: buttonClass('plain') }
        : {
            className: 'card-star',
            'aria-label': isOthers ? 'Starred' : `${label}: ${excerpt(titleOf(card), 40)}`,
            'data-starred': card.starred || undefined,
          })}
    >
      <Icon name={isNamed ? icon : 'star'} className="size-4" />
      {isNamed && <span>{label}</span>}
    </button>
  )
}

const formOf = (action: PressedVideoAction) => `press-${action}`

/** The forms of the buttons that ask nothing. They stand outside the form of the gallery. */
export const PressedForms = () =>
  PRESSED_ACTIONS.map((action) => <ActionForm key={action} id={formOf(action)} intent={action} />)
