import { adjust, mix } from '../colour'
import { paintPine } from '../flora'
import { scatter } from '../paper'
import { planeInk } from '../palettes'
import { between, randomFrom } from '../random'
import { paintSky } from '../sky'
import { spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { mountainPlane, ridgePlane, spotOn, type RidgePlane } from '../terrain'

/** Rolling paper waves under a large sun: also what an unknown prompt gets. */
export function hills(stage: Stage): Setting {
  const { height, horizon, palette } = stage
  const count = 6
  const planes = Array.from({ length: count }, (_, index) => {
    const part = index / (count - 1)
    const depth = 0.12 + part * 0.88
    const warm = index % 2 === 0 ? palette.accent : palette.sky[1]
    const plain = mix(planeInk(palette, depth), warm, 0.24 * (1 - part))
    const ink = stage.scene.weather === 'snow' ? groundInk(stage, depth) : plain
    return ridgePlane(stage, {
      depth,
      base: horizon - 30 + part ** 1.2 * (height - horizon) * 0.82,
      swing: 118 - part * 40,
      grain: between(stage.random, 300, 430) + part * 120,
      seed: stage.scene.seed + index * 7919,
      ink: adjust(ink, { chroma: 1.2 }),
      mist: 0.5 - part * 0.4,
    })
  })
  const spots = spotsOf(stage, 0.5)
  const ground = spotOn(planes[3], spots.ground)
  return { planes: [...paintSky(stage), ...planes], spots: { ...spots, ground, water: ground } }
}

/** Snowy ranges, then wooded hills. */
export function mountains(stage: Stage): Setting {
  const woods = woodedHills(stage)
  const spots = spotsOf(stage, 0.52)
  const ground = spotOn(woods[1], spots.ground)
  return {
    planes: [...paintSky(stage), ...ranges(stage), ...woods],
    spots: { ...spots, ground, water: ground },
  }
}

/** Two ranges behind each other; the horizon is their foot. */
export function ranges(stage: Stage): readonly Plane[] {
  const { height, width, horizon, scene } = stage
  const tall = height * (height > width ? 0.27 : 0.44)
  const snow = scene.weather === 'snow' ? 6 : 4
  const down = height - horizon
  const far = { depth: 0.12, base: horizon, peak: tall * 0.72, count: 5, seed: scene.seed + 1 }
  const near = {
    depth: 0.3,
    base: horizon + down * 0.14,
    peak: tall,
    count: 3,
    seed: scene.seed + 2,
  }
  return [mountainPlane(stage, { ...far, snow: snow - 1 }), mountainPlane(stage, { ...near, snow })]
}

function woodedHills(stage: Stage): readonly RidgePlane[] {
  const { height, horizon, scene } = stage
  const down = height - horizon
  return [0, 1, 2, 3].map((index) => {
    const depth = 0.45 + index * 0.19
    const ink = groundInk(stage, depth)
    return ridgePlane(stage, {
      depth,
      base: horizon + down * (0.2 + index * 0.2),
      swing: 54,
      grain: 380,
      seed: scene.seed + 50 + index,
      ink,
      plant: (pen, heightAt) => plantPines(stage, { pen, heightAt, row: index }),
    })
  })
}

/** Snow lies on the ground too, a little in the shade of the hour. */
export function groundInk(stage: Stage, depth: number): string {
  const ink = planeInk(stage.palette, depth)
  if (stage.scene.weather !== 'snow') return ink
  const white = mix('#eef4fb', stage.palette.sky[1], 0.3)
  return mix(white, ink, 0.25 + depth * 0.3)
}

type Row = { pen: Pen; heightAt: (x: number) => number; row: number }

function plantPines(stage: Stage, { pen, heightAt, row }: Row): void {
  const random = randomFrom(stage.scene.seed + 400 + row)
  const ink = planeInk(stage.palette, 0.5 + row * 0.17)
  for (const x of scatter(stage, 30 - row * 4, 0.5)) {
    const open = Math.sin(x / 150 + row * 2.1) > 0.25
    const central = Math.abs(x / stage.width - 0.5) < 0.34
    if (row < 2 ? open : open || central) continue
    const tall = between(random, 50, 105) * (1 + row * 0.42)
    paintPine(pen, { x, y: heightAt(x) + 8, tall }, ink)
  }
}
