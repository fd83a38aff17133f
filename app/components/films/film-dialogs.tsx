import { useLocation } from '@remix-run/react'
import type { FilmView } from '~/domain/films/types'
import { readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ConfirmDialog } from '../ui/confirm'
import { Dialog } from '../ui/dialog'
import { GoneDialog } from '../ui/gone-dialog'
import { VideoPlayer } from '../videos/video-player'

export const PLAY_FILM = 'play'
export const DELETE_FILM = 'delete'

/** Asks whether to delete a film. */
export const deleteQuestion = (name: string): string =>
  `Delete the film “${name}”? Its clips stay, so it can be made again.`

/** The dialogs about one film, by the address of the page. */
export function FilmDialogs({ films }: { films: readonly FilmView[] }) {
  const { search } = useLocation()
  const dialog = readDialog(new URLSearchParams(search))
  const film = films.find(({ id }) => id === dialog.on)
  if (dialog.name !== PLAY_FILM && dialog.name !== DELETE_FILM) return null
  if (film === undefined) return <GoneDialog what="film" />
  if (dialog.name === PLAY_FILM) return film.state === 'ready' ? <Player film={film} /> : null
  return (
    <ConfirmDialog
      title="Delete this film?"
      text={<p>{deleteQuestion(film.name)}</p>}
      intent="delete"
      fields={{ on: film.id }}
      confirmLabel="Delete"
      cancelTo={paths.films}
    />
  )
}

function Player({ film }: { film: FilmView }) {
  const { id, name, aspectRatio, hasPoster } = film
  const video = {
    prompt: name,
    aspectRatio,
    videoUrl: paths.filmFile(id, 'film.mp4'),
    thumbnailUrl: hasPoster ? paths.filmFile(id, 'poster.jpg') : null,
    completedAt: null,
    regenerateCount: 0,
  }
  return (
    <Dialog title={name} width={aspectRatio === 'landscape' ? 'wide' : 'normal'}>
      <VideoPlayer video={video} fit="dialog" />
    </Dialog>
  )
}
