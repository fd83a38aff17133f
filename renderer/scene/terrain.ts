import { adjust, fade, mix } from './colour'
import { castShadow, cutSheet, downward, lightEdge, noShadow, traceRidge } from './paper'
import { planeInk } from './palettes'
import { between, randomFrom, terrainNoise, wholeBetween } from './random'
import { BELOW, MARGIN, type Pen, type Plane, type Spot, type Stage } from './stage'

/** The height of a skyline at each x. */
export type Outline = (x: number) => number

export type Ridge = {
  depth: number
  /** Middle height of the skyline and how far it swings, in pixels. */
  base: number
  swing: number
  /** Length of its waves in pixels. */
  grain: number
  seed: number
  ink?: string
  /** Share of haze at the foot, 0..1. */
  mist?: number
  /** A skyline of its own instead of rolling noise. */
  heightAt?: Outline
  /** Paints onto the finished ridge. */
  decorate?: ((pen: Pen, heightAt: Outline) => void) | undefined
  /** Paints behind it, so that its foot disappears behind the skyline. */
  plant?: ((pen: Pen, heightAt: Outline) => void) | undefined
  /** Visible height below its lowest point in pixels; 280 if another ridge follows. */
  reach?: number
  /** Height of the tallest plant, in pixels. */
  tallest?: number
}

/** A plane on which elements can stand. */
export type RidgePlane = Plane & { outline: Outline }

/** A rolling skyline cut from one paper, with a lit edge and mist at its foot. */
export function ridgePlane(stage: Stage, ridge: Ridge): RidgePlane {
  const noise = terrainNoise(ridge.seed, ridge.grain)
  const heightAt = ridge.heightAt ?? ((x: number): number => ridge.base - ridge.swing * noise(x))
  // The next ridge covers the rest, which would cost memory and time.
  const bottom = Math.min(stage.height + BELOW, ridge.base + ridge.swing + (ridge.reach ?? 280))
  const ink = ridge.ink ?? planeInk(stage.palette, ridge.depth)
  const top = ridge.base - ridge.swing
  const above = ridge.plant ? (ridge.tallest ?? 330) : 40
  const sheet = cutSheet(stage, {
    depth: ridge.depth,
    top: top - above,
    bottom,
    paint(pen) {
      ridge.plant?.(pen, heightAt)
      traceRidge(pen, stage, { heightAt, bottom })
      castShadow(pen, stage.palette.near, 26)
      const foot = mix(ink, stage.palette.haze, ridge.mist ?? 0.42 * (1 - ridge.depth))
      pen.fillStyle = downward(pen, [top, Math.min(bottom, top + 420)], [ink, foot])
      pen.fill()
      noShadow(pen)
      lightEdge(pen, stage)
      ridge.decorate?.(pen, heightAt)
    },
  })
  return { ...sheet, outline: heightAt }
}

/** A spot on a ridge, a little below its skyline and just in front of it. */
export function spotOn(ridge: RidgePlane | undefined, spot: Spot): Spot {
  if (ridge === undefined) return spot
  return { ...spot, depth: ridge.depth + 0.03, footAt: (x) => ridge.outline(x) + 22 }
}

export type Range = {
  depth: number
  base: number
  /** Height of the tallest peak in pixels. */
  peak: number
  count: number
  seed: number
  /** How far snow reaches down each peak, in kinks of its edge; 0 is bare rock. */
  snow: number
}

/** A mountain range: faceted peaks with a lit and a shaded side, and snow where it is high. */
export function mountainPlane(stage: Stage, range: Range): Plane {
  const random = randomFrom(range.seed)
  const width = stage.width + 2 * MARGIN
  const peaks = Array.from({ length: range.count }, (_, index) => ({
    x: -MARGIN + ((index + 0.5 + between(random, -0.3, 0.3)) * width) / range.count,
    tall: range.peak * between(random, 0.5, 1),
    spread: (width / range.count) * between(random, 0.95, 1.3),
    seed: wholeBetween(random, 1, 99_999),
  })).sort((one, other) => one.tall - other.tall)
  return cutSheet(stage, {
    depth: range.depth,
    top: range.base - range.peak - 40,
    bottom: range.base + 240,
    paint(pen) {
      for (const peak of peaks) paintPeak(pen, stage, { ...peak, range })
    },
  })
}

type Peak = { x: number; tall: number; spread: number; seed: number; range: Range }
type Point = readonly [x: number, y: number]

function paintPeak(pen: Pen, stage: Stage, peak: Peak): void {
  const { range } = peak
  const foot = range.base + 240
  const summit: Point = [peak.x, range.base - peak.tall]
  const slope = peak.spread / peak.tall
  const reach = slope * (foot - summit[1])
  const left = jagged(summit, [peak.x - reach, foot], peak.seed)
  const right = jagged(summit, [peak.x + reach, foot], peak.seed + 1)
  const spine = jagged(summit, [peak.x + reach * 0.12, foot], peak.seed + 2)
  const lit = stage.sun.x < peak.x ? [left, right] : [right, left]
  const ink = planeInk(stage.palette, range.depth)
  const haze = mix(ink, stage.palette.haze, 0.75)
  const tops: readonly [number, number] = [summit[1], foot]
  castShadow(pen, stage.palette.near, 18)
  fillBetween(pen, [left, right], downward(pen, tops, [adjust(ink, { lighter: -0.02 }), ink, haze]))
  noShadow(pen)
  const [bright, shaded] = lit
  const glare = mix(ink, stage.palette.light, 0.2)
  fillBetween(pen, [bright ?? left, spine], downward(pen, tops, [glare, mix(ink, haze, 0.3), haze]))
  const shade = adjust(ink, { lighter: -0.055 })
  fillBetween(pen, [shaded ?? right, spine], downward(pen, tops, [shade, ink, haze]))
  if (range.snow > 0)
    paintSnow(pen, stage, { edges: [bright ?? left, shaded ?? right, spine], peak })
}

/** Broken line from a summit to a foot: small kinks above, longer ones below. */
function jagged([x1, y1]: Point, [x2, y2]: Point, seed: number): readonly Point[] {
  const random = randomFrom(seed)
  const kinks = 11
  return Array.from({ length: kinks + 1 }, (_, index) => {
    const part = (index / kinks) ** 1.25
    const shake = index === 0 || index === kinks ? 0 : between(random, -0.055, 0.055)
    return [x1 + (x2 - x1) * (part + shake * (1 - part * 0.4)), y1 + (y2 - y1) * part] as const
  })
}

function fillBetween(
  pen: Pen,
  [one, other]: readonly [readonly Point[], readonly Point[]],
  style: CanvasGradient | string,
): void {
  pen.beginPath()
  for (const [x, y] of one) pen.lineTo(x, y)
  for (const [x, y] of [...other].reverse()) pen.lineTo(x, y)
  pen.closePath()
  pen.fillStyle = style
  pen.fill()
}

type Snow = { edges: readonly [readonly Point[], readonly Point[], readonly Point[]]; peak: Peak }

/** Snow lies on the upper third and runs down in tongues. */
function paintSnow(pen: Pen, stage: Stage, { edges, peak }: Snow): void {
  const { palette } = stage
  const line = peak.range.snow
  const white = mix('#ffffff', palette.light, 0.35)
  const ink = planeInk(palette, peak.range.depth)
  const random = randomFrom(peak.seed + 9)
  const [bright, shaded, spine] = edges
  for (const [edge, colour] of [
    [bright, mix(white, ink, 0.06)],
    [shaded, mix(white, ink, 0.46)],
  ] as const) {
    const cut = edge.slice(0, line)
    const inner = spine.slice(0, line + 1)
    const [x1, y1] = cut.at(-1) ?? [peak.x, peak.range.base]
    const [x2, y2] = inner.at(-1) ?? [peak.x, peak.range.base]
    pen.beginPath()
    for (const [x, y] of cut) pen.lineTo(x, y)
    for (const [part, up] of [
      [0.18, 1],
      [0.34, -0.5],
      [0.52, 0.9],
      [0.7, -0.6],
      [0.86, 0.7],
    ] as const) {
      const drop = -up * between(random, 0.12, 0.3) * (y1 - peak.range.base + peak.tall)
      pen.lineTo(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part + drop)
    }
    for (const [x, y] of [...inner].reverse()) pen.lineTo(x, y)
    pen.closePath()
    pen.fillStyle = fade(colour, 0.92)
    pen.fill()
  }
}
