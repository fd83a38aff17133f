import { AppError } from '~/domain/errors'
import type { ClaimPicture } from '~/domain/payments/claim.server'
import type { Redraw } from '~/platform/media/port'

const MOST_BYTES = 2 * 1024 * 1024

/**
 * Returns the picture of a form's file field, encoded by us, or null if none was chosen. Throws
 * BAD_INPUT for a file that is too large or not a picture.
 */
export async function readPicture(
  data: FormData,
  name: string,
  redraw: Redraw | null,
): Promise<ClaimPicture | null> {
  const file = data.get(name)
  if (!(file instanceof File) || file.size === 0 || redraw === null) return null
  if (file.size > MOST_BYTES) throw refused(name, 'The picture can have at most 2 MB')
  const redrawn = await redraw(Buffer.from(await file.arrayBuffer()))
  if (!redrawn.ok) throw refused(name, 'This is not a JPEG or PNG picture that can be read')
  return { bytes: redrawn.jpeg, hash: redrawn.hash }
}

const refused = (name: string, problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { [name]: [problem] } })
