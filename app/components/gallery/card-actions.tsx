import { Link } from '@remix-run/react'
import type { MouseEvent, ReactNode } from 'react'
import { isRefused } from '~/domain/videos/rules'
import type { CardView } from '~/domain/videos/types'
import { titleOf } from '~/domain/videos/video-names'
import { dialogAddress } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { ActionForm } from '../ui/action-form'
import { buttonClass } from '../ui/button'
import { ToolSheet } from '../ui/tool-sheet'
import {
  ACTIONS,
  PRESSED_ACTIONS,
  type AskedVideoAction,
  type PressedVideoAction,
  type VideoAction,
} from './actions'
import { confirmAction, failedOf } from './action-texts'
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
  if (status === 'completed') return ['download', 'share', 'regenerate', 'edit', 'delete']
  if (status === 'error')
    return isRefused(video) ? ['edit', 'retry', 'delete'] : ['retry', 'delete']
  // While a video is made again, the clip of before is still there.
  return videoUrl === null ? ['delete'] : ['download', 'share', 'delete']
}

/** Returns what can be done with the star of a video. What has no clip cannot be kept. */
const starActionOf = ({
  videoUrl,
  starred,
}: Pick<CardView, 'videoUrl' | 'starred'>): PressedVideoAction | null =>
  starred ? 'unstar' : videoUrl === null ? null : 'star'

type Props = { card: CardView; actions: readonly VideoAction[] }

/** A row of icon buttons below a card. Sharing is on its picture. */
export function CardActions({ card, actions }: Props) {
  return (
    <div className="card-actions">
      {actions.map(
        (action) => action !== 'share' && <ActionLink key={action} card={card} action={action} />,
      )}
    </div>
  )
}

/** Opens the dialog that shares a clip, on its picture: the row below has no room for a fifth finger. */
export function ShareLink({ card }: { card: About & Pick<CardView, 'videoUrl'> }) {
  const { scope } = useGallery()
  return scope === 'mine' && card.videoUrl !== null ? (
    <ActionLink card={card} action="share" className="card-share" />
  ) : null
}

type NamedProps = Omit<Props, 'card'> & {
  card: Clip
  /** Where the clip's file stands first, and with what words. */
  lead: ReactNode
  /** Further entries of More. */
  children?: ReactNode
}

/**
 * The same actions with text labels, where there is only one video: what is done most in a row, the rest
 * under More. If there are few, all are shown.
 */
export function NamedActions({ card, actions, lead, children }: NamedProps) {
  const others = actions.filter((one) => one !== 'download')
  const inRow = others.length < 4 ? others : others.filter((one) => one === 'share')
  const rest = others.filter((one) => !inRow.includes(one))
  return (
    <>
      {lead}
      {inRow.map((action) => (
        <ActionLink key={action} card={card} action={action} isNamed />
      ))}
      <StarButton card={card} isNamed />
      {rest.length > 0 && (
        <ToolSheet label="More" icon="ellipsis" isAbove>
          <div className="tool-list grid">
            {rest.map(
              (action) =>
                action !== 'delete' && (
                  <ActionLink key={action} card={card} action={action} isNamed />
                ),
            )}
            {children}
            {rest.includes('delete') && <ActionLink card={card} action="delete" isNamed />}
          </div>
        </ToolSheet>
      )}
    </>
  )
}

type About = Pick<CardView, 'id' | 'prompt' | 'name' | 'starred'>
/** What the actions of a video need of it. */
export type Clip = About & Pick<CardView, 'status' | 'videoUrl' | 'errorMessage'>
type LinkProps = { card: About; action: VideoAction; isNamed?: boolean; className?: string }

const asks = (action: VideoAction): action is AskedVideoAction => ACTIONS[action].by === 'question'

/**
 * A link that works without scripts: to the file, or to the dialog that confirms the action. With
 * scripts the browser asks, and the dialog's form is sent without it.
 */
function ActionLink({ card, action, isNamed = false, className = BUTTON }: LinkProps) {
  const { search, scope } = useGallery()
  const sendForm = useStayingForm()
  const { label, icon } = ACTIONS[action]
  const look = isNamed
    ? { className: buttonClass('plain') }
    : {
        className,
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
            failed: failedOf(intent, scope),
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
  card: About & Pick<CardView, 'videoUrl'>
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
    sendForm({
      intent: action,
      on: card.id,
      failed: failedOf(action, scope),
      isConfirmed: () => true,
    })
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
