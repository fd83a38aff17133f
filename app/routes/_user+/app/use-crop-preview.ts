import { useEffect, useRef, useState, type RefObject } from 'react'

type Chosen = { frame: string; crop: number }

/** The short side of the preview, in pixels. */
const SIDE = 180

/**
 * Draws the part of a picture that will be used on the canvas that it returns, as the server will cut it.
 * What the browser cannot decode is not drawn; the server says why.
 */
export function useCropPreview(
  file: File | null,
  { frame, crop }: Chosen,
): RefObject<HTMLCanvasElement> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  useEffect(() => {
    let isCurrent = true
    setPicture(null)
    if (file === null) return
    const upright = async () => (await import('./upright-picture')).uprightPicture(file)
    upright().then(
      (bitmap) => (isCurrent ? setPicture(bitmap) : bitmap.close()),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [file])
  useEffect(() => () => picture?.close(), [picture])
  useEffect(() => {
    const target = canvas.current
    if (target && picture) draw(target, picture, { frame, crop })
  }, [picture, frame, crop])
  return canvas
}

function draw(canvas: HTMLCanvasElement, picture: ImageBitmap, { frame, crop }: Chosen): void {
  const isWide = frame === 'nearest' ? picture.width > picture.height : frame === 'landscape'
  const long = (SIDE * 16) / 9
  canvas.width = isWide ? long : SIDE
  canvas.height = isWide ? SIDE : long
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height)
  const [width, height] = [picture.width * scale, picture.height * scale]
  const at = crop / 100
  canvas
    .getContext('2d')
    ?.drawImage(picture, (canvas.width - width) * at, (canvas.height - height) * at, width, height)
}
