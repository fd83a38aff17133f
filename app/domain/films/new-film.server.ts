import type { UserCtx } from '../context'
import { readChoice } from '../videos/gallery/choice'
import { listChosenIds } from '../videos/gallery/chosen.server'
import { chosenOf, readVideos } from './chosen-clips.server'
import { FILM_LIMITS, refusalOf, tooMany } from './rules'
import type { Chosen } from './types'

/** The clips chosen for a film, and why they cannot be joined if that is known already. */
export type NewFilm = Chosen & { refusal: string | null }

/**
 * Returns the clips that an address chooses: the selection of a gallery, oldest first, or with
 * `sorted` the ids in their order. Returns null if one is not the actor's own, or deleted.
 */
export async function findNewFilm(ctx: UserCtx, search: URLSearchParams): Promise<NewFilm | null> {
  const ids = await chosenIn(ctx, search)
  if (ids.length > FILM_LIMITS.mostClips) {
    return { clips: [], unfinished: 0, refusal: tooMany(ids.length) }
  }
  const sort = search.has('sorted') ? 'as given' : 'oldest first'
  const videos = await readVideos(ctx.db, ctx.actor.id, { ids, sort })
  if (videos === null || videos.some(({ isDeleted }) => isDeleted)) return null
  const chosen = chosenOf(videos)
  return { ...chosen, refusal: refusalOf(chosen.clips) }
}

async function chosenIn(ctx: UserCtx, search: URLSearchParams): Promise<string[]> {
  const fields = new URLSearchParams(search)
  fields.set('choice', 'selected')
  fields.set('scope', 'mine')
  const choice = readChoice(fields)
  if (!choice.success) return []
  return choice.data.kind === 'selected' ? choice.data.ids : listChosenIds(ctx, choice.data)
}
