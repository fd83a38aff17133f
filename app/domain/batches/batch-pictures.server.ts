import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { lockDraftPictures } from '../videos/requests/draft-pictures.server'
import { shownPictures, type DraftPicture } from '../videos/requests/pictures'
import type { AspectRatio } from '../videos/types'
import { assignPictures, namesOf, SEVERAL_PICTURES, type NamedLine } from './picture-names'
import type { PictureIds } from '../videos/pictures.server'
import { takesEndPictures } from '../videos/requests/picture-video.server'
import { ordersOf, type LinePictures, type StartBatchInput } from './schemas'

/** The bulk box as a page has sent it. */
export type PicturedBox = {
  /** The pictures that the page has shown (`shownPictures`). */
  seen: string
  /** Whether some of the prompts stay in the box. */
  keeps: boolean
}

/**
 * Returns the input of a batch from the box with the one picture for all its prompts. Throws CONFLICT if the
 * page has shown other pictures, and BAD_INPUT for several.
 */
export async function withDraftPictures(
  ctx: UserCtx,
  tx: Tx,
  { input, box }: { input: StartBatchInput; box: PicturedBox },
): Promise<StartBatchInput> {
  const [only = null, ...others] = await lockShownPictures(ctx, tx, box.seen)
  if (others.length > 0) refuseProblems([SEVERAL_PICTURES], 'promptLines')
  return { ...input, pictures: input.prompts.map(() => only && { first: only, end: null }) }
}

/** Locks the draft pictures. Throws CONFLICT if they are not those that the page has shown. */
export async function lockShownPictures(
  ctx: UserCtx,
  tx: Tx,
  seen: string,
): Promise<DraftPicture[]> {
  const found = await lockDraftPictures(tx, ctx)
  if (shownPictures(found) === seen) return found
  throw new AppError(
    'CONFLICT',
    'The pictures have changed since this page was opened, maybe in another tab. Nothing was started. Look at them again.',
  )
}

/** Lines, the pictures that they may name, and the field of the form that is refused. */
type Given = { lines: readonly NamedLine[]; found: readonly DraftPicture[]; field: string }

/** Returns the pictures of each line. Throws BAD_INPUT on the field for names that are not clear. */
export function picturesOfLines(
  ctx: UserCtx,
  { lines, found, field }: Given,
): (LinePictures | null)[] {
  const known = { names: namesOf(found), takesEnds: takesEndPictures(ctx) }
  const { pictures, ends, problems } = assignPictures(lines, known)
  refuseProblems(problems, field)
  const byName = new Map(found.map((picture) => [picture.name, picture]))
  const named = (name: string | null | undefined) => byName.get(name ?? '') ?? null
  return pictures.map((name, i) => {
    const first = named(name)
    return first && { first, end: named(ends[i]) }
  })
}

function refuseProblems(problems: string[], field: string): void {
  const [problem] = problems
  if (problem !== undefined)
    throw new AppError('BAD_INPUT', problem, { fields: { [field]: problems } })
}

/**
 * Returns the stored pictures of each prompt that has some, by its place from 1. Throws BAD_INPUT for one
 * that is not cut to the aspect ratio of its prompt.
 */
export function pictureLinks(input: StartBatchInput): (PictureIds & { place: number })[] {
  const { pictures } = input
  if (!pictures) return []
  return ordersOf(input).flatMap(({ aspectRatio }, index) => {
    const own = pictures[index]
    if (!own) return []
    const pictureId = idOf(own.first, aspectRatio)
    const endPictureId = own.end && idOf(own.end, aspectRatio)
    return [{ place: index + 1, pictureId, endPictureId }]
  })
}

/** Returns the id of a picture that is cut to the ratio. Throws BAD_INPUT if there is none. */
function idOf(picture: DraftPicture, ratio: AspectRatio): string {
  const id = picture[ratio]
  if (id !== null) return id
  const problem = `${picture.name} is cut for ${ratio === 'portrait' ? 'landscape' : 'portrait'} videos only. Remove it and choose the picture again, or use that ratio.`
  throw new AppError('BAD_INPUT', problem, { fields: { pictures: [problem] } })
}
