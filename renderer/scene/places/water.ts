import { adjust, fade, mix } from '../colour'
import { GALLERY, isWonder } from '../elements/gallery'
import { castShadow, cutSheet, downward, lightEdge, noShadow, traceRidge } from '../paper'
import { planeInk } from '../palettes'
import { between, randomFrom, terrainNoise } from '../random'
import { paintSky } from '../sky'
import { BELOW, MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { ridgePlane, spotOn, type RidgePlane } from '../terrain'
import { groundInk, ranges } from './hills'

/** Open water under a low light, in rows of paper waves. */
export function sea(stage: Stage): Setting {
  const { horizon, scene, height } = stage
  const island = ridgePlane(stage, {
    depth: 0.1,
    base: horizon + 26,
    swing: 62,
    grain: 360,
    seed: scene.seed + 4,
  })
  const sand = needsShore(stage) ? [shorePlane(stage)] : []
  const rough = scene.weather === 'storm' ? 2.1 : scene.weather === 'rain' ? 1.3 : 1
  const rows = 5
  const waves = Array.from({ length: rows }, (_, row) => wavePlane(stage, { row, rows, rough }))
  const surface = [waterSheet(stage, horizon), glitter(stage, { from: horizon, to: height * 0.86 })]
  return {
    planes: [...paintSky(stage), island, ...surface, ...waves, ...sand],
    spots: {
      ...spotsOf(stage, 0.42),
      ground: spotOn(sand[0], spotsOf(stage, 0.62).ground),
      water: { ...spotsOf(stage, 0.44).water, depth: 0.62 },
    },
  }
}

/** Somebody or something has to stand on land. */
function needsShore({ scene }: Stage): boolean {
  return scene.elements.some((kind) => !isWonder(kind) && GALLERY[kind].where === 'ground')
}

function shorePlane(stage: Stage): RidgePlane {
  const { height, horizon, palette, scene } = stage
  const dim = { dawn: 0.3, day: 0.12, dusk: 0.45, night: 0.72 }[scene.time]
  return ridgePlane(stage, {
    depth: 1.08,
    base: horizon + (height - horizon) * 0.6,
    swing: 54,
    grain: 620,
    seed: scene.seed + 15,
    ink: mix('#ecc98f', palette.near, dim),
    mist: 0,
  })
}

/** A still lake that mirrors its mountains. */
export function lake(stage: Stage): Setting {
  const { horizon, height, scene } = stage
  const far = [...paintSky(stage), ...ranges(stage)]
  const shore = horizon + (height - horizon) * 0.16
  const bank = ridgePlane(stage, {
    depth: 0.42,
    base: shore - 6,
    swing: 26,
    grain: 300,
    seed: scene.seed + 12,
    ink: planeInk(stage.palette, 0.55),
  })
  const front = ridgePlane(stage, {
    depth: 0.95,
    base: horizon + (height - horizon) * 0.52,
    reach: 400,
    swing: 64,
    grain: 420,
    seed: scene.seed + 13,
    ink: groundInk(stage, 0.92),
  })
  const mirror = mirrorSheet(stage, { planes: [...far, bank], shore })
  return {
    planes: [...far, bank, mirror, glitter(stage, { from: shore, to: height * 0.95 }), front],
    spots: { ...spotsOf(stage, 0.36), ground: spotOn(front, spotsOf(stage, 0.7).ground) },
  }
}

function waterSheet(stage: Stage, top: number): Plane {
  const { palette, height } = stage
  return cutSheet(stage, {
    depth: 0.12,
    top,
    bottom: height + BELOW,
    paint(pen) {
      const far = mix(palette.sky[2], palette.far, 0.3)
      pen.fillStyle = downward(
        pen,
        [top, height],
        [far, palette.far, mix(palette.far, palette.near, 0.6)],
      )
      pen.fillRect(-MARGIN, top, stage.width + 2 * MARGIN, height + BELOW - top)
    },
  })
}

export type Mirror = { planes: readonly Plane[]; shore: number }

/** Water from `shore` down that shows what stands behind it upside down, shortened and tinted. */
export function mirrorSheet(stage: Stage, { planes, shore }: Mirror): Plane {
  const { palette, height, width } = stage
  const still = { seconds: 0, progress: 0.5 }
  return cutSheet(stage, {
    depth: 0.42,
    top: shore,
    bottom: height + BELOW,
    paint(pen) {
      pen.save()
      pen.beginPath()
      pen.rect(-MARGIN, shore, width + 2 * MARGIN, height + BELOW - shore)
      pen.clip()
      pen.translate(0, shore * 2)
      pen.scale(1, -1)
      for (const plane of planes) plane.draw(pen, still)
      pen.restore()
      const tint = mix(palette.far, palette.near, 0.45)
      pen.fillStyle = downward(
        pen,
        [shore, height],
        [fade(tint, 0.3), fade(tint, 0.5), fade(palette.near, 0.85)],
      )
      pen.fillRect(-MARGIN, shore, width + 2 * MARGIN, height + BELOW - shore)
      pen.fillStyle = fade(palette.light, 0.25)
      pen.fillRect(-MARGIN, shore, width + 2 * MARGIN, 2)
    },
  })
}

type Wave = { row: number; rows: number; rough: number }

/** One row of waves that rocks to and fro. */
function wavePlane(stage: Stage, { row, rows, rough }: Wave): Plane {
  const { height, horizon, palette, scene } = stage
  const part = row / (rows - 1)
  const depth = 0.3 + part * 0.75
  const base = horizon + (height - horizon) * (0.1 + part ** 1.15 * 0.72)
  const swell = (9 + part * 20) * rough
  const length = 120 + part * 170
  const noise = terrainNoise(scene.seed + 60 + row, length * 2.2)
  const heightAt = (x: number): number =>
    base - swell * (Math.abs(Math.sin((x / length) * Math.PI)) ** 1.5 * -1.1 + 0.6 + 0.7 * noise(x))
  const ink = planeInk(palette, 0.3 + part * 0.62)
  const bottom = row === rows - 1 ? height + BELOW : base + swell * 3 + 210
  const sheet = cutSheet(stage, {
    depth,
    top: base - swell * 3 - 40,
    bottom,
    paint(pen) {
      traceRidge(pen, stage, { heightAt, bottom, step: 4 })
      castShadow(pen, palette.near, 20)
      const crest = mix(ink, palette.sky[2], 0.22)
      pen.fillStyle = downward(
        pen,
        [base - swell, base + 150],
        [crest, ink, adjust(ink, { lighter: -0.03 })],
      )
      pen.fill()
      noShadow(pen)
      lightEdge(pen, stage)
    },
  })
  const phase = row * 1.7
  return {
    depth,
    draw(pen, moment) {
      pen.translate(
        Math.sin(moment.seconds * (0.9 - part * 0.25) + phase) * (8 + part * 14),
        Math.sin(moment.seconds * 1.25 + phase * 1.4) * (2 + part * 5) * rough,
      )
      sheet.draw(pen, moment)
    },
  }
}

type Reach = { from: number; to: number }

/** Short strokes of light on the water, most of them below the sun. */
export function glitter(stage: Stage, { from, to }: Reach): Plane {
  const { sun, palette, width } = stage
  const random = randomFrom(stage.scene.seed + 71)
  const strokes = Array.from({ length: 110 }, (_, index) => {
    const part = random() ** 1.5
    const spread = index % 3 === 0 ? width * 0.5 : 40 + part * 150
    return {
      x: sun.x + (random() + random() - 1) * spread,
      y: from + 4 + part * (to - from),
      half: between(random, 5, 14) * (0.6 + part * 2),
      phase: random() * 6.3,
      thick: 1.2 + part * 2.6,
    }
  })
  return {
    depth: 0.2,
    draw(pen: Pen, { seconds }) {
      pen.strokeStyle = palette.light
      pen.lineCap = 'round'
      for (const stroke of strokes) {
        const shine = Math.sin(stroke.phase + seconds * 1.6)
        if (shine <= 0) continue
        pen.globalAlpha = shine * 0.5
        pen.lineWidth = stroke.thick
        const half = stroke.half * (0.5 + shine * 0.5)
        pen.beginPath()
        pen.moveTo(stroke.x - half, stroke.y)
        pen.lineTo(stroke.x + half, stroke.y)
        pen.stroke()
      }
      pen.globalAlpha = 1
    },
  }
}
