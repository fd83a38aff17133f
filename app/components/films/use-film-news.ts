import { useEffect, useState } from 'react'
import { isUnfinished } from '~/domain/films/rules'
import type { FilmView } from '~/domain/films/types'
import { seconds } from '~/lib/time'
import { paths } from '~/lib/paths'
import { usePolling } from '../ui/use-polling'

const NEWS_MS = seconds(2)

/** Returns the films as they are now: while one of them is being made, the page asks for news. */
export function useFilmNews(loaded: FilmView[]): FilmView[] {
  const [films, setFilms] = useState(loaded)
  useEffect(() => setFilms(loaded), [loaded])
  usePolling<FilmView[]>({
    url: () => paths.filmNews,
    everyMs: NEWS_MS,
    isActive: films.some(({ state }) => isUnfinished(state)),
    onAnswer: setFilms,
  })
  return films
}
