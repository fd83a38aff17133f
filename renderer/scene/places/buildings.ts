import { adjust, fade, mix } from '../colour'
import type { Random } from '../random'
import { between, wholeBetween } from '../random'
import type { Pen, Stage } from '../stage'

/** A house front: its left edge, foot, width and height in pixels. */
export type Block = { x: number; foot: number; wide: number; tall: number; ink: string }

/** Share of windows with a light behind them. */
export function litShare(stage: Stage): number {
  const { time, weather, tone } = stage.scene
  if (tone === 'neon') return 0.5
  if (time === 'night') return 0.42
  if (time === 'dusk') return 0.3
  return weather === 'storm' || weather === 'rain' ? 0.22 : 0.05
}

/** A tower with one of six roofs. */
export function paintTower(pen: Pen, block: Block, random: Random): void {
  const { x, foot, wide, tall, ink } = block
  const top = foot - tall
  const middle = x + wide / 2
  pen.fillStyle = ink
  pen.fillRect(x, top, wide, tall)
  pen.beginPath()
  switch (wholeBetween(random, 0, 5)) {
    case 0:
      pen.rect(x + wide * 0.16, top - wide * 0.3, wide * 0.68, wide * 0.31)
      pen.rect(x + wide * 0.34, top - wide * 0.56, wide * 0.32, wide * 0.27)
      break
    case 1:
      pen.moveTo(x, top + 1)
      pen.lineTo(x + wide, top - wide * 0.55)
      pen.lineTo(x + wide, top + 1)
      break
    case 2:
      pen.moveTo(x, top + 1)
      pen.lineTo(middle, top - wide * 0.8)
      pen.lineTo(x + wide, top + 1)
      pen.rect(middle - 1.5, top - wide * 1.5, 3, wide)
      break
    case 3:
      pen.ellipse(middle, top + 1, wide * 0.42, wide * 0.36, 0, Math.PI, 0)
      pen.rect(middle - 1.5, top - wide * 0.8, 3, wide * 0.5)
      break
    case 4:
      pen.rect(x + wide * 0.1, top - 16, wide * 0.22, 17)
      pen.rect(x + wide * 0.7, top - wide * 0.5, 3, wide * 0.5)
      pen.rect(x + wide * 0.62, top - wide * 0.3, wide * 0.2, 2.5)
      break
    default:
      pen.rect(x + wide * 0.08, top - 8, wide * 0.84, 9)
  }
  pen.fill()
  pen.fillStyle = fade(adjust(ink, { lighter: 0.08 }), 0.5)
  pen.fillRect(x, top, Math.max(2, wide * 0.05), tall)
}

export type Lights = {
  size: number
  share: number
  colours: readonly [string, string]
  dark: string
}

/** Rows of windows; dark ones are just visible. */
export function paintWindows(
  pen: Pen,
  block: Block,
  { lights, random }: { lights: Lights; random: Random },
): void {
  const { size } = lights
  const [wide, tall] = [size, size * 1.5]
  const columns = Math.max(1, Math.floor((block.wide - size * 1.4) / (size * 2)))
  const left = block.x + (block.wide - columns * size * 2 + size) / 2
  const rows = Math.floor((block.tall - size * 3) / (size * 2.7))
  for (let row = 0; row < rows; row += 1) {
    const wholeFloor = random() < 0.08
    for (let column = 0; column < columns; column += 1) {
      const lit = random() < (wholeFloor ? 0.9 : lights.share)
      const ink = random() < 0.7 ? lights.colours[0] : lights.colours[1]
      pen.fillStyle = lit ? fade(ink, between(random, 0.55, 0.98)) : fade(lights.dark, 0.4)
      pen.fillRect(
        left + column * size * 2,
        block.foot - block.tall + size * 1.6 + row * size * 2.7,
        wide,
        tall,
      )
    }
  }
}

/** The windows of a scene: warm by day and in most cities, two-coloured under neon. */
export function lightsOf(stage: Stage, size: number, ink: string): Lights {
  const { palette, scene } = stage
  const warm = mix(palette.accent, '#ffe9b8', 0.45)
  const other = scene.tone === 'neon' ? '#ff5fc8' : mix(palette.light, warm, 0.4)
  return {
    size,
    share: litShare(stage),
    colours: [warm, other],
    dark: adjust(ink, { lighter: scene.time === 'day' ? 0.09 : -0.035 }),
  }
}
