import { fade, mix } from '../colour'
import { cutSheet, downward, lightPlane, makeGlow, castShadow, noShadow } from '../paper'
import { planeInk } from '../palettes'
import { between, randomFrom, type Random } from '../random'
import { paintSky } from '../sky'
import { BELOW, MARGIN, spotsOf, type Plane, type Setting, type Stage } from '../stage'
import { lightsOf, litShare, paintTower, paintWindows, type Block } from './buildings'
import { glitter, mirrorSheet } from './water'

/** A skyline over the water that mirrors it. */
export function city(stage: Stage): Setting {
  const { horizon, height } = stage
  const shore = horizon + (height - horizon) * 0.3
  const rows = [0, 1, 2, 3].map((row) => towerRow(stage, { row, foot: shore + 2 }))
  const skyline = [
    ...paintSky(stage),
    ...rows.slice(0, 2),
    cityGlow(stage, shore),
    ...rows.slice(2),
  ]
  const mirror = mirrorSheet(stage, { planes: skyline, shore })
  const planes = [...skyline, mirror, glitter(stage, { from: shore, to: height })]
  return { planes: [...planes, blinking(stage, shore), quay(stage)], spots: spotsOf(stage, 0.62) }
}

/** The heights of a row: low at the sides, one tall group off the middle. */
function massing(stage: Stage, x: number, random: Random): number {
  const centre = stage.sun.x < stage.width / 2 ? 0.62 : 0.38
  const away = Math.abs(x / stage.width - centre)
  return (0.42 + 0.58 * Math.exp(-away * away * 9)) * between(random, 0.55, 1)
}

function towerRow(stage: Stage, { row, foot }: { row: number; foot: number }): Plane {
  const { width, height, scene, palette } = stage
  const random = randomFrom(scene.seed + 1200 + row)
  const depth = 0.14 + row * 0.15
  const ink = planeInk(palette, 0.12 + row * 0.24)
  const tallest = height * (height > width ? 0.44 : 0.62) * (1 - row * 0.17)
  const blocks: Block[] = []
  for (let x = -MARGIN; x < width + MARGIN;) {
    const wide = between(random, 44, 92) * (0.8 + row * 0.12)
    blocks.push({ x, foot, wide, tall: tallest * massing(stage, x + wide / 2, random), ink })
    x += wide + between(random, -6, 16)
  }
  return cutSheet(stage, {
    depth,
    top: foot - tallest - 140,
    bottom: foot,
    paint(pen) {
      for (const block of blocks) {
        castShadow(pen, palette.near, 14)
        paintTower(pen, block, random)
        noShadow(pen)
        const lights = lightsOf(stage, 4.5 + row * 1.3, ink)
        paintWindows(pen, block, { lights, random })
      }
      const haze = mix(palette.haze, palette.sky[2], 0.4)
      pen.globalCompositeOperation = 'source-atop'
      pen.fillStyle = downward(
        pen,
        [foot - tallest * 0.55, foot],
        [fade(haze, 0), fade(haze, 0.55 - row * 0.13)],
      )
      pen.fillRect(-MARGIN, foot - tallest * 0.55, width + 2 * MARGIN, tallest * 0.55)
      pen.globalCompositeOperation = 'source-over'
    },
  })
}

/** The shine of the streets between the towers. */
function cityGlow(stage: Stage, shore: number): Plane {
  const { width, palette, scene } = stage
  const canvas = stage.makeCanvas(width + 2 * MARGIN, 360)
  const pen = canvas.getContext('2d')
  const ink = scene.tone === 'neon' ? '#ff4fb8' : palette.accent
  const strength = litShare(stage) * 0.75
  pen.fillStyle = downward(
    pen,
    [0, 360],
    [fade(ink, 0), fade(ink, strength * 0.4), fade(ink, strength)],
  )
  pen.fillRect(0, 0, canvas.width, 360)
  return {
    depth: 0.3,
    draw(target) {
      target.drawImage(canvas, -MARGIN, shore - 358)
    },
  }
}

/** Some windows go on and off, and red lamps breathe on the roofs. */
function blinking(stage: Stage, shore: number): Plane {
  const { width, height, palette, scene } = stage
  const random = randomFrom(scene.seed + 61)
  const glow = makeGlow(stage, mix(palette.accent, '#fff0c8', 0.4), 14)
  const count = litShare(stage) > 0.2 ? 26 : 0
  const lamps = Array.from({ length: count }, () => ({
    x: random() * width,
    y: shore - 20 - random() ** 1.4 * height * 0.24,
    phase: random() * 6.3,
    speed: between(random, 0.5, 1.6),
  }))
  return lightPlane(0.44, (pen, { seconds }) => {
    for (const lamp of lamps) {
      pen.globalAlpha = 0.35 + 0.35 * Math.sin(lamp.phase + seconds * lamp.speed)
      pen.drawImage(glow, lamp.x - 14, lamp.y - 14)
    }
  })
}

/** The near bank with its railing. */
function quay(stage: Stage): Plane {
  const { width, height, horizon, palette } = stage
  const top = horizon + (height - horizon) * 0.64
  const ink = mix(palette.near, '#000000', 0.2)
  return cutSheet(stage, {
    depth: 0.85,
    top: top - 60,
    bottom: height + BELOW,
    paint(pen) {
      castShadow(pen, '#000000', 22)
      pen.fillStyle = downward(pen, [top, height], [mix(ink, palette.haze, 0.16), ink])
      pen.fillRect(-MARGIN, top, width + 2 * MARGIN, height + BELOW - top)
      noShadow(pen)
      pen.fillStyle = ink
      pen.fillRect(-MARGIN, top - 40, width + 2 * MARGIN, 5)
      pen.fillRect(-MARGIN, top - 22, width + 2 * MARGIN, 2.5)
      for (let x = -MARGIN; x < width + MARGIN; x += 46) pen.fillRect(x, top - 40, 4, 42)
      pen.fillStyle = fade(palette.light, 0.22)
      pen.fillRect(-MARGIN, top, width + 2 * MARGIN, 2)
    },
  })
}
