import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { lockDraftPictures } from '../videos/requests/draft-pictures.server'
import { shownPictures, type DraftPicture } from '../videos/requests/pictures'
import { assignPictures, namesOf, SEVERAL_PICTURES, type NamedLine } from './picture-names'
import { ordersOf, type StartBatchInput } from './schemas'

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
  return { ...input, pictures: input.prompts.map(() => only) }
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

/** Returns the picture of each line. Throws BAD_INPUT on a form's field for names that are not clear. */
export function picturesOfLines(
  lines: readonly NamedLine[],
  found: readonly DraftPicture[],
  field: string,
): (DraftPicture | null)[] {
  const { pictures, problems } = assignPictures(lines, namesOf(found))
  refuseProblems(problems, field)
  const byName = new Map(found.map((picture) => [picture.name, picture]))
  return pictures.map((name) => (name === null ? null : (byName.get(name) ?? null)))
}

function refuseProblems(problems: string[], field: string): void {
  const [problem] = problems
  if (problem !== undefined)
    throw new AppError('BAD_INPUT', problem, { fields: { [field]: problems } })
}

/**
 * Returns the stored picture of each prompt that has one, by its place from 1. Throws BAD_INPUT for one
 * that is not cut to the aspect ratio of its prompt.
 */
export function pictureLinks(input: StartBatchInput): { place: number; pictureId: string }[] {
  const { pictures } = input
  if (!pictures) return []
  return ordersOf(input).flatMap(({ aspectRatio }, index) => {
    const picture = pictures[index]
    if (!picture) return []
    const pictureId = picture[aspectRatio]
    if (pictureId !== null) return [{ place: index + 1, pictureId }]
    const problem = `${picture.name} is cut for ${aspectRatio === 'portrait' ? 'landscape' : 'portrait'} videos only. Remove it and choose the picture again, or use that ratio.`
    throw new AppError('BAD_INPUT', problem, { fields: { pictures: [problem] } })
  })
}
