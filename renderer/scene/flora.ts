import { fade } from './colour'
import { between, type Random } from './random'
import type { Pen } from './stage'

/** A plant's foot and its height in pixels. */
export type Plant = { x: number; y: number; tall: number }

/** A fir as tiers of hanging boughs. */
export function paintPine(pen: Pen, { x, y, tall }: Plant, ink: string): void {
  const half = tall * 0.2
  const tiers = 6
  pen.fillStyle = ink
  pen.beginPath()
  pen.moveTo(x, y - tall)
  for (let tier = 1; tier <= tiers; tier += 1) {
    const part = tier / tiers
    const foot = y - tall * (1 - part * 0.92)
    pen.lineTo(x + half * part, foot)
    if (tier < tiers) pen.lineTo(x + half * part * 0.52, foot - tall * 0.028)
  }
  pen.lineTo(x + tall * 0.022, y - tall * 0.08)
  pen.lineTo(x + tall * 0.022, y + 6)
  pen.lineTo(x - tall * 0.022, y + 6)
  pen.lineTo(x - tall * 0.022, y - tall * 0.08)
  for (let tier = tiers; tier >= 1; tier -= 1) {
    const part = tier / tiers
    const foot = y - tall * (1 - part * 0.92)
    if (tier < tiers) pen.lineTo(x - half * part * 0.52, foot - tall * 0.028)
    pen.lineTo(x - half * part, foot)
  }
  pen.closePath()
  pen.fill()
}

export type Crown = { trunk: string; leaf: string; gleam: string }

/** A broad-leaved tree: a forked trunk under a crown of overlapping rounds. */
export function paintTree(pen: Pen, plant: Plant & { random: Random }, crown: Crown): void {
  const { x, y, tall, random } = plant
  pen.strokeStyle = crown.trunk
  pen.lineCap = 'round'
  const branches = [
    [0, -0.62, 0.055],
    [-0.17, -0.56, 0.03],
    [0.18, -0.6, 0.03],
  ] as const
  for (const [dx, dy, thick] of branches) {
    pen.lineWidth = tall * thick
    pen.beginPath()
    pen.moveTo(x, y + 4)
    pen.quadraticCurveTo(x, y - tall * 0.3, x + dx * tall, y + dy * tall)
    pen.stroke()
  }
  const rounds = Array.from({ length: 13 }, () => {
    const turn = random() * Math.PI * 2
    const away = Math.sqrt(random()) * 0.24 * tall
    return {
      x: x + Math.cos(turn) * away * 1.15,
      y: y - tall * 0.68 + Math.sin(turn) * away * 0.85,
      size: tall * between(random, 0.1, 0.17),
    }
  })
  pen.fillStyle = crown.leaf
  pen.beginPath()
  for (const round of rounds) {
    pen.moveTo(round.x + round.size, round.y)
    pen.arc(round.x, round.y, round.size, 0, Math.PI * 2)
  }
  pen.fill()
  pen.fillStyle = fade(crown.gleam, 0.28)
  pen.beginPath()
  for (const round of rounds) {
    const size = round.size * 0.6
    const [cx, cy] = [round.x - round.size * 0.25, round.y - round.size * 0.3]
    pen.moveTo(cx + size, cy)
    pen.arc(cx, cy, size, 0, Math.PI * 2)
  }
  pen.fill()
}

/** One bent blade of grass or a leaf, tip swung sideways by `lean` pixels. */
export function paintBlade(pen: Pen, { x, y, tall }: Plant, lean: number): void {
  const half = Math.max(1.5, tall * 0.045)
  pen.moveTo(x - half, y)
  pen.quadraticCurveTo(x - half * 0.4 + lean * 0.3, y - tall * 0.6, x + lean, y - tall)
  pen.quadraticCurveTo(x + half * 1.4 + lean * 0.3, y - tall * 0.5, x + half, y)
  pen.closePath()
}
