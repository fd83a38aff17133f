import type { Tx } from '~/platform/db/port'
import type { UserCtx } from '../context'
import { AppError } from '../errors'
import { lockDraftPictures } from '../videos/requests/draft-pictures.server'
import { shownPictures, type DraftPicture } from '../videos/requests/pictures'
import { assignPictures, namedLines, splitPictures, type NamedLine } from './picture-names'
import type { PromptLine } from './rules'
import { ordersOf, type StartBatchInput } from './schemas'

/** The bulk box as a page has sent it. */
export type PicturedBox = {
  /** All its lines, of which a batch may take only the first ones. */
  lines: readonly PromptLine[]
  /** The pictures that the page has shown (`shownPictures`). */
  seen: string
  /** Whether some of the prompts stay in the box. */
  keeps: boolean
}

/**
 * Returns a batch's input with the pictures of its prompts, without their names in the texts. Throws
 * CONFLICT if the page has shown other pictures, and BAD_INPUT for names that are not clear.
 */
export async function withDraftPictures(
  ctx: UserCtx,
  tx: Tx,
  { input, box }: { input: StartBatchInput; box: PicturedBox },
): Promise<StartBatchInput> {
  const found = await lockShownPictures(ctx, tx, box.seen)
  const pictures = picturesOfLines(namedLines(box.lines), found, 'promptLines')
  const prompts = input.prompts.map((prompt) => splitPictures(prompt).text)
  return { ...input, prompts, pictures: pictures.slice(0, prompts.length) }
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
  const { pictures, problems } = assignPictures(
    lines,
    found.map(({ name }) => name),
  )
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
