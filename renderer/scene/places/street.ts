import { adjust, fade, mix } from '../colour'
import { castShadow, cutSheet, downward, makeGlow, noShadow } from '../paper'
import { planeInk } from '../palettes'
import { between, pick, randomFrom } from '../random'
import { paintSky } from '../sky'
import { BELOW, MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { lightsOf, litShare, paintTower, paintWindows, type Block } from './buildings'

/** One pair of house fronts: how near, its gap to the middle, and its foot line. */
type Pair = { row: number; depth: number; gap: number; foot: number; tall: number; ink: string }

const ROWS = 5

/** A street between houses that runs to a bright end. */
export function street(stage: Stage): Setting {
  const pairs = Array.from({ length: ROWS }, (_, row) => pairAt(stage, row))
  const houses = pairs.flatMap((pair) => [housePair(stage, pair), lampPair(stage, pair)])
  const planes = [...paintSky(stage), farEnd(stage), roadway(stage), ...houses]
  return {
    planes,
    spots: { ...spotsOf(stage, 0.5), sky: { y: stage.horizon * 0.5, depth: 0.2, scale: 0.8 } },
  }
}

function pairAt(stage: Stage, row: number): Pair {
  const { width, height, horizon, palette } = stage
  const part = row / (ROWS - 1)
  return {
    row,
    depth: 0.2 + part * 0.75,
    gap: Math.max(width, 900) * (0.07 + 0.33 * part ** 1.25),
    foot: horizon + (height - horizon) * (0.1 + 0.62 * part ** 1.3),
    tall: height * (0.2 + 0.46 * part ** 0.9),
    ink: planeInk(palette, 0.14 + part * 0.8),
  }
}

function farEnd(stage: Stage): Plane {
  const { width, horizon, palette } = stage
  const random = randomFrom(stage.scene.seed + 2)
  const ink = planeInk(palette, 0.05)
  return cutSheet(stage, {
    depth: 0.15,
    top: horizon - 320,
    bottom: horizon + 40,
    paint(pen) {
      for (let x = width * 0.3; x < width * 0.7; x += 34) {
        const tall = between(random, 80, 200)
        paintTower(pen, { x, foot: horizon + 40, wide: between(random, 30, 48), tall, ink }, random)
      }
      const glow = mix(palette.light, palette.accent, 0.3)
      const light = pen.createRadialGradient(width / 2, horizon, 0, width / 2, horizon, 300)
      light.addColorStop(0, fade(glow, 0.75))
      light.addColorStop(1, fade(glow, 0))
      pen.fillStyle = light
      pen.fillRect(width / 2 - 320, horizon - 320, 640, 360)
    },
  })
}

/** The road, wet in rain, with the light of the far end and of the lamps lying on it. */
function roadway(stage: Stage): Plane {
  const { width, height, horizon, palette, scene } = stage
  const wet = scene.weather === 'rain' || scene.weather === 'storm'
  const snowy = scene.weather === 'snow'
  const road = snowy ? mix('#e9f0f8', palette.near, 0.3) : mix(palette.near, palette.far, 0.25)
  return cutSheet(stage, {
    depth: 0.3,
    top: horizon - 2,
    bottom: height + BELOW,
    paint(pen) {
      const far = mix(road, palette.haze, 0.7)
      pen.fillStyle = downward(
        pen,
        [horizon, height],
        [far, mix(road, far, 0.3), road, adjust(road, { lighter: -0.03 })],
      )
      pen.fillRect(-MARGIN, horizon - 2, width + 2 * MARGIN, height + BELOW - horizon)
      const glow = mix(palette.light, palette.accent, 0.35)
      const light = downward(
        pen,
        [horizon, height],
        [fade(glow, wet ? 0.75 : 0.4), fade(glow, wet ? 0.25 : 0.08), fade(glow, 0)],
      )
      pen.fillStyle = light
      pen.beginPath()
      pen.moveTo(width * 0.46, horizon - 2)
      pen.lineTo(width * 0.54, horizon - 2)
      pen.lineTo(width * 0.66, height)
      pen.lineTo(width * 0.34, height)
      pen.fill()
      if (wet) paintPuddles(stage, pen)
    },
  })
}

function paintPuddles(stage: Stage, pen: Pen): void {
  const { width, height, horizon, palette } = stage
  const random = randomFrom(stage.scene.seed + 14)
  for (let puddle = 0; puddle < 16; puddle += 1) {
    const part = random() ** 0.8
    const y = horizon + 30 + part * (height - horizon - 40)
    const half = (20 + 90 * part) * between(random, 0.6, 1.2)
    pen.fillStyle = fade(mix(palette.sky[2], palette.accent, random() * 0.5), 0.28)
    pen.beginPath()
    pen.ellipse(width * random(), y, half, half * 0.13, 0, 0, Math.PI * 2)
    pen.fill()
  }
}

function housePair(stage: Stage, pair: Pair): Plane {
  const { width, palette, scene } = stage
  const random = randomFrom(scene.seed + 1500 + pair.row)
  return cutSheet(stage, {
    depth: pair.depth,
    top: Math.max(-BELOW, pair.foot - pair.tall * 1.5 - 60),
    bottom: pair.foot + 30,
    paint(pen) {
      for (const side of [-1, 1]) {
        const inner = width / 2 + side * pair.gap * between(random, 0.94, 1.08)
        const wide = Math.max(120, width)
        const tall = pair.tall * between(random, 0.85, 1.15) + pair.foot - stage.horizon
        const block: Block = {
          x: side < 0 ? inner - wide : inner,
          foot: pair.foot,
          wide,
          tall,
          ink: pair.ink,
        }
        castShadow(pen, palette.near, 26)
        pen.fillStyle = downward(
          pen,
          [pair.foot - tall, pair.foot],
          [pair.ink, mix(pair.ink, palette.haze, 0.18)],
        )
        pen.fillRect(block.x, pair.foot - tall, wide, tall)
        noShadow(pen)
        paintRoof(pen, block, pair)
        const lights = lightsOf(stage, 8 + pair.row * 4, pair.ink)
        paintWindows(pen, block, { lights, random })
        paintShop(stage, pen, { pair, inner, side })
      }
    },
  })
}

function paintRoof(pen: Pen, block: Block, pair: Pair): void {
  const size = 8 + pair.row * 5
  pen.fillStyle = adjust(pair.ink, { lighter: 0.04 })
  pen.fillRect(block.x - size * 0.5, block.foot - block.tall - size * 0.5, block.wide + size, size)
  pen.fillStyle = pair.ink
  for (let chimney = 0; chimney < 4; chimney += 1) {
    const x = block.x + block.wide * (0.1 + chimney * 0.25)
    pen.fillRect(x, block.foot - block.tall - size * 3, size * 1.6, size * 2.6)
  }
}

type Shop = { pair: Pair; inner: number; side: number }

/** A lit shop front with an awning at the inner corner, and a hanging sign above it. */
function paintShop(stage: Stage, pen: Pen, { pair, inner, side }: Shop): void {
  const { palette, scene } = stage
  const random = randomFrom(scene.seed + pair.row * 31 + side)
  const size = 26 + pair.row * 22
  const lit = litShare(stage) > 0.15
  const warm = mix(palette.accent, '#ffe2a6', 0.35)
  const x = side < 0 ? inner - size * 1.9 : inner + size * 0.2
  pen.fillStyle = lit ? fade(warm, 0.9) : adjust(pair.ink, { lighter: 0.07 })
  pen.fillRect(x, pair.foot - size * 1.25, size * 1.7, size * 1.2)
  const cloth = pick(random, [palette.accent, '#d9543f', '#3f8f8a', '#e7c15a'])
  for (let stripe = 0; stripe < 6; stripe += 1) {
    pen.fillStyle = mix(stripe % 2 === 0 ? cloth : '#f7ead2', pair.ink, 0.35)
    pen.fillRect(
      x - size * 0.12 + stripe * size * 0.325,
      pair.foot - size * 1.6,
      size * 0.33,
      size * 0.42,
    )
  }
  const sign = scene.tone === 'neon' ? pick(random, ['#29e0e6', '#ff5fc8', '#ffe45c']) : warm
  const signX = inner + (side < 0 ? size * 0.08 : -size * 0.42)
  pen.fillStyle = lit ? sign : mix(cloth, pair.ink, 0.3)
  if (lit) castShadow(pen, sign, size * 0.5)
  pen.fillRect(signX, pair.foot - size * 4.2, size * 0.34, size * 1.7)
  noShadow(pen)
  pen.fillStyle = fade(pair.ink, 0.55)
  for (let glyph = 0; glyph < 4; glyph += 1) {
    pen.fillRect(
      signX + size * 0.08,
      pair.foot - size * 4.08 + glyph * size * 0.4,
      size * 0.18,
      size * 0.22,
    )
  }
}

/** Street lamps in front of a pair of houses, their light in the air and on the ground. */
function lampPair(stage: Stage, pair: Pair): Plane {
  const { width, palette } = stage
  const lit = litShare(stage) > 0.15
  const tall = 90 + pair.row * 66
  const glow = makeGlow(stage, mix(palette.accent, '#fff0c8', 0.35), 40 + pair.row * 30)
  const feet = [-1, 1].map((side) => width / 2 + side * pair.gap * 0.86)
  const post = mix(pair.ink, '#000000', 0.3)
  return {
    depth: pair.depth + 0.03,
    draw(pen, { seconds }) {
      for (const x of feet) {
        pen.fillStyle = post
        pen.fillRect(x - tall * 0.011, pair.foot - tall, tall * 0.022, tall + 8)
        pen.fillRect(x - tall * 0.06, pair.foot - tall, tall * 0.12, tall * 0.018)
        if (lit)
          shine(pen, {
            x,
            y: pair.foot - tall * 1.0,
            foot: pair.foot,
            glow,
            flicker: 0.92 + 0.08 * Math.sin(seconds * 7 + x),
          })
        pen.fillStyle = lit ? '#fff1cf' : adjust(post, { lighter: 0.2 })
        pen.beginPath()
        pen.arc(x, pair.foot - tall * 1.03, tall * 0.04, 0, Math.PI * 2)
        pen.fill()
      }
    },
  }
}

type Shine = {
  x: number
  y: number
  foot: number
  glow: ReturnType<Stage['makeCanvas']>
  flicker: number
}

function shine(pen: Pen, { x, y, foot, glow, flicker }: Shine): void {
  const size = glow.width
  pen.globalCompositeOperation = 'lighter'
  pen.globalAlpha = flicker
  pen.drawImage(glow, x - size / 2, y - size / 2)
  pen.globalAlpha = 0.5 * flicker
  pen.drawImage(glow, x - size * 0.16, foot - size * 0.06, size * 0.32, size * 1.1)
  pen.globalAlpha = 1
  pen.globalCompositeOperation = 'source-over'
}
