import { AppError } from '~/domain/errors'
import type { Screenshot } from '~/domain/payments/claim.server'
import { NOT_WHOLE_PICTURE } from '~/domain/videos/requests/pictures'
import { networkOf } from '~/lib/network.server'
import type { PictureWish, Redraw } from '~/platform/media/port'
import { filesOf } from './form-data.server'

const MOST_BYTES = 2 * 1024 * 1024

type Sender = { redraw: Redraw | null; address: string; userId: string | null }

/**
 * Returns the screenshot in a form's file field, encoded by us, or null if none was chosen. Throws
 * BAD_INPUT for a file that is too large or not a whole picture.
 */
export async function readScreenshotField(
  data: FormData,
  name: string,
  { redraw, address, userId }: Sender,
): Promise<Screenshot | null> {
  const [file] = filesOf(data, name)
  if (!file || redraw === null) return null
  if (file.size > MOST_BYTES) throw refused(name, 'The screenshot can have at most 2 MB')
  const wish: PictureWish =
    userId === null
      ? { of: 'visitor', caller: networkOf(address).network }
      : { of: 'customer', caller: userId }
  const redrawn = await redraw(Buffer.from(await file.arrayBuffer()), wish)
  if (!redrawn.ok && redrawn.why === 'not-whole') throw refused(name, NOT_WHOLE_PICTURE)
  if (!redrawn.ok) throw refused(name, 'This is not a JPEG or PNG picture that can be read')
  return { bytes: redrawn.jpeg, hash: redrawn.hash }
}

const refused = (name: string, problem: string) =>
  new AppError('BAD_INPUT', problem, { fields: { [name]: [problem] } })
