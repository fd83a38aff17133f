import type { Canvas, SKRSContext2D } from '@napi-rs/canvas'
import type { Scene } from './facts'
import type { Palette } from './palettes'
import type { Random } from './random'

export type Pen = SKRSContext2D

/** A moment of the clip: `progress` runs 0..1 over its whole length. */
export type Moment = { seconds: number; progress: number }

/** One plane of the picture. `depth` 0 is the sky and stands still, 1 is near and moves most. */
export type Plane = { depth: number; draw(pen: Pen, moment: Moment): void }

/** The scene and its measures. Lengths are pixels of a 720p frame, whose short side is 720. */
export type Stage = {
  scene: Scene
  palette: Palette
  width: number
  height: number
  /** Where sky and ground meet, from the top. */
  horizon: number
  /** Sun or moon. */
  sun: { x: number; y: number; radius: number }
  random: Random
  makeCanvas(width: number, height: number): Canvas
}

/** Planes are this much wider than the frame on every side, so that the camera finds no edge. */
export const MARGIN = 120

/** Height painted below the frame, so that a moving camera never shows an edge. */
export const BELOW = 90

/** A place for an element: its foot line, and the scale there. */
export type Spot = {
  y: number
  depth: number
  scale: number
  /** The height of the ground at each x, if it is not level. */
  footAt?: (x: number) => number
}

/** A painted place: its planes from back to front, and the places for elements. */
export type Setting = {
  planes: readonly Plane[]
  spots: { ground: Spot; water: Spot; sky: Spot }
}

/** Returns places at `share` of the way from the horizon to the lower edge. */
export function spotsOf(stage: Stage, share: number): Setting['spots'] {
  const y = stage.horizon + (stage.height - stage.horizon) * share
  return {
    ground: { y, depth: 0.78, scale: 1 },
    water: { y, depth: 0.7, scale: 1 },
    sky: { y: stage.horizon * 0.55, depth: 0.3, scale: 1 },
  }
}
