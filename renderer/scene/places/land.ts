import { adjust, fade, mix } from '../colour'
import { paintTree } from '../flora'
import { downward, scatter } from '../paper'
import { planeInk } from '../palettes'
import { between, randomFrom, smoothNoise } from '../random'
import { paintSky } from '../sky'
import { MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { ridgePlane, spotOn, type Outline } from '../terrain'
import { fernEdge } from './forest'
import { groundInk } from './hills'

/** Farmland: striped hills, clumps of trees, tall grass in front. */
export function field(stage: Stage): Setting {
  const { horizon, height, scene } = stage
  const down = height - horizon
  const rows = [0, 1, 2, 3, 4].map((row) => {
    const part = row / 4
    const depth = 0.14 + part * 0.8
    const gold = mix(groundInk(stage, depth), '#d8b648', row % 2 === 0 ? 0.3 : 0.05)
    const ink = scene.weather === 'snow' ? groundInk(stage, depth) : gold
    return ridgePlane(stage, {
      depth,
      base: horizon + 6 + down * part ** 1.15 * 0.74,
      swing: 60 - part * 14,
      grain: 460,
      seed: scene.seed + 300 + row,
      ink,
      plant:
        row === 0 || row === 4
          ? undefined
          : (pen, outline) => plantClump(stage, { pen, outline, row }),
      decorate: row < 2 ? undefined : (pen, outline) => furrows(stage, { pen, outline, ink }),
    })
  })
  const spots = spotsOf(stage, 0.52)
  const ground = spotOn(rows[2], spots.ground)
  const planes = [...paintSky(stage), ...rows, fernEdge(stage)]
  return { planes, spots: { ...spots, ground, water: ground } }
}

/** A few round trees standing together, not the same on every hill. */
function plantClump(
  stage: Stage,
  { pen, outline, row }: { pen: Pen; outline: Outline; row: number },
): void {
  const { palette, scene, width } = stage
  const random = randomFrom(scene.seed + 500 + row)
  const leaf = mix(
    planeInk(palette, 0.3 + row * 0.16),
    palette.accent,
    scene.tone === 'autumn' ? 0.35 : 0.05,
  )
  const middle = width * between(random, 0.05, 0.95)
  for (let tree = 0; tree < 6; tree += 1) {
    const x = middle + between(random, -1, 1) * 130
    const tall = between(random, 55, 95) * (0.75 + row * 0.35)
    const crown = { trunk: adjust(leaf, { lighter: -0.07 }), leaf, gleam: palette.light }
    paintTree(pen, { x, y: outline(x) + 4, tall, random }, crown)
  }
}

type Furrows = { pen: Pen; outline: Outline; ink: string }

/** Rows of a crop that follow the hill. */
function furrows(stage: Stage, { pen, outline, ink }: Furrows): void {
  pen.strokeStyle = fade(adjust(ink, { lighter: 0.05 }), 0.55)
  for (let row = 1; row < 9; row += 1) {
    pen.lineWidth = 1 + row * 0.55
    pen.beginPath()
    for (let x = -MARGIN; x <= stage.width + MARGIN; x += 16) {
      pen.lineTo(x, outline(x) + 4 + row ** 1.6 * 7)
    }
    pen.stroke()
  }
}

/** Dunes with lit and shaded sides, table mountains far off. */
export function desert(stage: Stage): Setting {
  const { horizon, height, scene } = stage
  const down = height - horizon
  const dunes = [0, 1, 2, 3, 4].map((row) => {
    const part = row / 4
    const depth = 0.2 + part * 0.8
    const ink = planeInk(stage.palette, 0.1 + part * 0.72)
    const base = horizon + 22 + down * part ** 1.1 * 0.8
    const swing = 52 + part * 46
    const noise = smoothNoise(scene.seed + 700 + row, 250 + part * 150)
    return ridgePlane(stage, {
      depth,
      base,
      swing,
      grain: 330,
      seed: scene.seed,
      heightAt: (x) => base - swing * noise(x),
      ink,
      mist: 0.3 - part * 0.3,
      decorate: (pen, outline) => paintLee(stage, { pen, outline, ink }),
    })
  })
  const spots = spotsOf(stage, 0.5)
  const ground = spotOn(dunes[2], spots.ground)
  const planes = [...paintSky(stage), mesas(stage), ...dunes]
  return { planes, spots: { ...spots, ground, water: ground } }
}

/** The side of a dune that looks away from the sun lies in shade; wind draws lines in the sand. */
function paintLee(stage: Stage, { pen, outline, ink }: Furrows): void {
  const { width, height } = stage
  const away = stage.sun.x < width / 2 ? 1 : -1
  for (const crest of crestsOf(outline, width)) paintLeeSide(pen, { crest, outline, away, ink })
  pen.strokeStyle = fade(adjust(ink, { lighter: 0.06 }), 0.3)
  pen.lineWidth = 1.5
  for (let line = 1; line <= 6; line += 1) {
    pen.beginPath()
    for (let x = -MARGIN; x <= width + MARGIN; x += 10) {
      const y = outline(x) + line ** 1.5 * 17 + Math.sin(x / 37 + line) * 2.5
      if (y < height + 40) pen.lineTo(x, y)
    }
    pen.stroke()
  }
}

function crestsOf(outline: Outline, width: number): readonly number[] {
  const crests: number[] = []
  for (let x = -MARGIN; x <= width + MARGIN; x += 12) {
    if (outline(x) < outline(x - 12) && outline(x) <= outline(x + 12)) crests.push(x)
  }
  return crests
}

type Lee = { crest: number; outline: Outline; away: number; ink: string }

/** Shade between the skyline and a winding spine that comes down from the crest. */
function paintLeeSide(pen: Pen, { crest, outline, away, ink }: Lee): void {
  let foot = crest
  while (outline(foot + away * 12) > outline(foot) && Math.abs(foot - crest) < 420)
    foot += away * 12
  const span = Math.abs(foot - crest)
  const top = outline(crest)
  const drop = span * 0.72
  pen.beginPath()
  for (let x = crest; Math.abs(x - crest) <= span; x += away * 8) pen.lineTo(x, outline(x))
  pen.lineTo(foot, outline(foot))
  pen.quadraticCurveTo(foot, top + drop * 0.8, crest + away * span * 0.42, top + drop)
  pen.bezierCurveTo(
    crest + away * span * 0.62,
    top + drop * 0.6,
    crest - away * span * 0.16,
    top + drop * 0.42,
    crest,
    top,
  )
  const shade = adjust(ink, { lighter: -0.12 })
  pen.fillStyle = downward(
    pen,
    [top, top + drop],
    [fade(shade, 0.75), fade(shade, 0.5), fade(shade, 0)],
  )
  pen.fill()
}

function mesas(stage: Stage): Plane {
  const { horizon, scene, palette } = stage
  const random = randomFrom(scene.seed + 21)
  const tables = scatter(stage, 5, 0.7).map((x) => ({
    x,
    half: between(random, 40, 120),
    tall: between(random, 40, 130),
  }))
  const heightAt = (x: number): number => {
    const rise = tables.map(({ x: middle, half, tall }) => {
      const away = Math.abs(x - middle) - half
      return tall * Math.min(1, Math.max(0, 1 - away / 34))
    })
    return horizon + 20 - Math.max(0, ...rise)
  }
  const ridge = { depth: 0.1, base: horizon, swing: 140, grain: 90, seed: scene.seed + 22 }
  return ridgePlane(stage, { ...ridge, heightAt, ink: planeInk(palette, 0.14) })
}
