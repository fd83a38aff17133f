import { liesOnSide, readPictureFile, uprightMatrix, withoutOrientation } from '~/lib/picture-file'

/**
 * Decodes a picture upright, as the server does: browsers differ in which metadata they believe. Rejects if the
 * browser cannot decode it.
 */
export async function uprightPicture(file: File): Promise<ImageBitmap> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const facts = readPictureFile(bytes)
  // Every browser turns a JPEG.
  const isTurned = facts !== null && facts.kind !== 'jpeg' && facts.orientation !== 1
  if (!isTurned) return createImageBitmap(file)
  const stored = await createImageBitmap(new Blob([withoutOrientation(bytes, facts)]))
  const { width, height } = stored
  const isOnSide = liesOnSide(facts.orientation)
  const canvas = new OffscreenCanvas(isOnSide ? height : width, isOnSide ? width : height)
  const pen = canvas.getContext('2d')
  pen?.setTransform(...uprightMatrix({ ...facts, width, height }))
  pen?.drawImage(stored, 0, 0)
  stored.close()
  return canvas.transferToImageBitmap()
}
