import { useLocation } from '@remix-run/react'
import { lengthText } from '~/domain/films/rules'
import type { FilmView } from '~/domain/films/types'
import { dialogAddress } from '~/lib/dialog-address'
import { plural, sizeOf } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { Badge } from '../ui/badge'
import { ButtonLink, buttonClass } from '../ui/button'
import { ConfirmLink } from '../ui/confirm'
import { DayTime } from '../ui/day-time'
import { DialogLink } from '../ui/dialog-link'
import { Icon } from '../ui/icon'
import { Progress } from '../ui/progress'
import { RATIO_CLASS } from '../videos/ratio-class'
import { DELETE_FILM, deleteQuestion, PLAY_FILM } from './film-dialogs'

/** A film in the list: its picture, how far it is, and what can be done with it. */
export function FilmCard({ film }: { film: FilmView }) {
  const { name, clips, createdAt, keptUntil, lostSound, reason, state } = film
  return (
    <article className="flex gap-3 rounded-lg border border-line bg-surface p-3 sm:gap-4 sm:p-4">
      <Picture film={film} />
      <div className="min-w-0 grow space-y-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 text-base font-semibold [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </h2>
          <FilmState state={state} />
        </div>
        <p className="text-sm tabular-nums text-soft">
          {[plural(clips, 'clip'), ...sizesOf(film)].join(' · ')} · <DayTime instant={createdAt} />
        </p>
        <FilmProgress film={film} />
        {reason !== null && <p className="text-sm text-bad [overflow-wrap:anywhere]">{reason}</p>}
        {lostSound && (
          <p className="text-sm text-warn">
            Without sound: not every clip has sound of the same kind.
          </p>
        )}
        {keptUntil !== null && (
          <p className="text-sm text-soft">
            {state === 'ready' ? 'Kept until' : 'Shown until'} <DayTime instant={keptUntil} />
          </p>
        )}
        <FilmActions film={film} />
      </div>
    </article>
  )
}

function sizesOf({ durationMs, bytes }: FilmView): string[] {
  return [
    ...(durationMs === null ? [] : [`${lengthText(durationMs)} min`]),
    ...(bytes === null ? [] : [sizeOf(bytes)]),
  ]
}

/** The state of a film. One that is ready needs no word. */
function FilmState({ state }: Pick<FilmView, 'state'>) {
  if (state === 'ready') return null
  if (state === 'waiting') return <Badge>Waiting</Badge>
  return state === 'failed' ? (
    <Badge tone="bad">Failed</Badge>
  ) : (
    <Badge tone="accent">Being joined</Badge>
  )
}

function FilmProgress({ film: { state, clips, clipsDone } }: { film: FilmView }) {
  if (state !== 'working') return null
  const text = `${clipsDone} of ${plural(clips, 'clip')}`
  return (
    <div className="space-y-1">
      <p className="text-sm tabular-nums">{text}</p>
      <Progress label="Clips joined" percent={(100 * clipsDone) / Math.max(1, clips)} />
    </div>
  )
}

/** It only repeats what its name says. */
function Picture({ film: { id, hasPoster, aspectRatio } }: { film: FilmView }) {
  const isWide = aspectRatio === 'landscape'
  return (
    <div
      aria-hidden
      className={`flex shrink-0 items-center justify-center self-start overflow-hidden rounded bg-film text-film-on tiny:hidden ${isWide ? 'w-24 sm:w-44' : 'w-14 sm:w-20'} ${RATIO_CLASS[aspectRatio]}`}
    >
      {hasPoster ? (
        <img
          src={paths.filmFile(id, 'poster.jpg')}
          alt=""
          width={isWide ? 640 : 360}
          height={isWide ? 360 : 640}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      ) : (
        <Icon name="film" className="size-6" />
      )}
    </div>
  )
}

function FilmActions({ film }: { film: FilmView }) {
  const { search } = useLocation()
  const { id, name, state } = film
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'ready' && (
        <>
          <DialogLink dialog={PLAY_FILM} on={id} aria-label={`Play ${name}`}>
            <Icon name="square-play" className="size-4" />
            Play
          </DialogLink>
          <ButtonLink
            look="plain"
            to={paths.filmFile(id, 'download')}
            reloadDocument
            aria-label={`Download ${name}`}
          >
            <Icon name="download" className="size-4" />
            Download
          </ButtonLink>
        </>
      )}
      <ConfirmLink
        to={dialogAddress(search, DELETE_FILM, id)}
        question={deleteQuestion(name)}
        intent="delete"
        fields={{ on: id }}
        label={`Delete ${name}`}
        className={buttonClass('plain')}
      >
        <Icon name="trash-2" className="size-4" />
        Delete
      </ConfirmLink>
    </div>
  )
}
