import type { Canvas } from '@napi-rs/canvas'
import { fade } from './colour'
import { between, randomFrom } from './random'
import { MARGIN, type Moment, type Pen, type Plane, type Stage } from './stage'

/** A sheet of paper: painted once, then only moved. `top` and `bottom` bound what is painted. */
export type Sheet = { depth: number; top: number; bottom: number; paint(pen: Pen): void }

/** Cuts a sheet as wide as the frame and its margins; `paint` uses frame coordinates. */
export function cutSheet(stage: Stage, sheet: Sheet): Plane {
  const top = Math.floor(sheet.top)
  const height = Math.ceil(sheet.bottom) - top
  const canvas = stage.makeCanvas(stage.width + 2 * MARGIN, height)
  const pen = canvas.getContext('2d')
  pen.translate(MARGIN, -top)
  sheet.paint(pen)
  pen.resetTransform()
  addGrain(stage, canvas, 0.05)
  const painted = trim(stage, canvas)
  return {
    depth: sheet.depth,
    draw(target) {
      target.drawImage(painted.canvas, painted.x - MARGIN, top + painted.y)
    },
  }
}

/** Returns the painted part of a canvas and its position, because empty parts also cost time. */
export function trim(stage: Stage, canvas: Canvas): { canvas: Canvas; x: number; y: number } {
  const { width, height } = canvas
  const pixels = wordsOf(canvas.data())
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let at = 0, y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (pixels[at] === 0) continue
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      bottom = y
    }
  }
  if (right < left) return { canvas: stage.makeCanvas(1, 1), x: 0, y: 0 }
  // A clear rim, so that moving it between two pixels keeps its edges soft.
  const [x, y] = [Math.max(0, left - 2), Math.max(0, top - 2)]
  const part = stage.makeCanvas(Math.min(width, right + 3) - x, Math.min(height, bottom + 3) - y)
  part.getContext('2d').drawImage(canvas, -x, -y)
  return { canvas: part, x, y }
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / 4)

/** Adds grain like that of paper, which also prevents banding in slow gradients. */
export function addGrain(stage: Stage, canvas: Canvas, strength: number): void {
  const size = 160
  const tile = stage.makeCanvas(size, size)
  const tilePen = tile.getContext('2d')
  const pixels = tilePen.createImageData(size, size)
  const random = randomFrom(stage.scene.seed + canvas.height)
  for (let offset = 0; offset < pixels.data.length; offset += 4) {
    const shade = random() < 0.5 ? 0 : 255
    pixels.data[offset] = shade
    pixels.data[offset + 1] = shade
    pixels.data[offset + 2] = shade
    pixels.data[offset + 3] = Math.floor(random() * strength * 255)
  }
  tilePen.putImageData(pixels, 0, 0)
  const pen = canvas.getContext('2d')
  pen.globalCompositeOperation = 'source-atop'
  for (let y = 0; y < canvas.height; y += size) {
    for (let x = 0; x < canvas.width; x += size) pen.drawImage(tile, x, y)
  }
  pen.globalCompositeOperation = 'source-over'
}

/** Starts a soft shadow, like that of one paper on the one behind it. */
export function castShadow(pen: Pen, ink: string, reach: number): void {
  pen.shadowColor = fade(ink, 0.34)
  pen.shadowBlur = reach
  pen.shadowOffsetY = -reach * 0.22
}

/** Ends the shadow of `castShadow`. */
export function noShadow(pen: Pen): void {
  pen.shadowColor = 'rgba(0, 0, 0, 0)'
  pen.shadowBlur = 0
  pen.shadowOffsetY = 0
}

/** A round spot of light, painted once. Draw it with `lighter`. */
export function makeGlow(stage: Stage, ink: string, radius: number): Canvas {
  const canvas = stage.makeCanvas(radius * 2, radius * 2)
  const pen = canvas.getContext('2d')
  const light = pen.createRadialGradient(radius, radius, 0, radius, radius, radius)
  light.addColorStop(0, fade(ink, 0.9))
  light.addColorStop(0.12, fade(ink, 0.52))
  light.addColorStop(0.35, fade(ink, 0.18))
  light.addColorStop(0.65, fade(ink, 0.05))
  light.addColorStop(1, fade(ink, 0))
  pen.fillStyle = light
  pen.fillRect(0, 0, radius * 2, radius * 2)
  return canvas
}

/** A plane of light, which brightens what is behind it. */
export const lightPlane = (depth: number, paint: (pen: Pen, moment: Moment) => void): Plane => ({
  depth,
  draw(pen, moment) {
    pen.globalCompositeOperation = 'lighter'
    paint(pen, moment)
    pen.globalAlpha = 1
    pen.globalCompositeOperation = 'source-over'
  },
})

/** A vertical gradient between two heights. */
export function downward(
  pen: Pen,
  [top, bottom]: readonly [number, number],
  colours: readonly string[],
): CanvasGradient {
  const gradient = pen.createLinearGradient(0, top, 0, bottom)
  colours.forEach((colour, index) => {
    gradient.addColorStop(colours.length === 1 ? 0 : index / (colours.length - 1), colour)
  })
  return gradient
}

/** Traces a skyline from the left margin to the right one, closed below at `bottom`. */
export function traceRidge(
  pen: Pen,
  stage: Stage,
  ridge: { heightAt: (x: number) => number; bottom: number; step?: number },
): void {
  const step = ridge.step ?? 6
  const right = stage.width + MARGIN
  pen.beginPath()
  pen.moveTo(-MARGIN, ridge.bottom)
  for (let x = -MARGIN; x <= right + step; x += step) pen.lineTo(x, ridge.heightAt(x))
  pen.lineTo(right + step, ridge.bottom)
  pen.closePath()
}

/** Brightens the upper edge of the current path. */
export function lightEdge(pen: Pen, stage: Stage): void {
  pen.save()
  pen.clip()
  pen.strokeStyle = fade(stage.palette.light, 0.2)
  pen.lineWidth = 5
  pen.stroke()
  pen.restore()
}

/** Returns `count` positions over the whole sheet, evenly spread and then shifted at random. */
export function scatter(stage: Stage, count: number, shake: number): readonly number[] {
  const width = stage.width + 2 * MARGIN
  return Array.from({ length: count }, (_, index) => {
    const middle = -MARGIN + ((index + 0.5) * width) / count
    return middle + between(stage.random, -shake, shake) * (width / count)
  })
}
