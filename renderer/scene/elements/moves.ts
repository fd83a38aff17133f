import type { Moment, Stage } from '../stage'
import type { Move } from './art'

/** One copy of an element: where it starts and how it differs from the others. */
export type Actor = {
  x: number
  y: number
  /** Pixels of one grid unit. */
  scale: number
  /** 1 looks and goes right, -1 left. */
  heading: 1 | -1
  /** 0..2π, so that copies do not move in step. */
  phase: number
}

/** The pose of a copy at a moment. `turn` is in radians around its foot. */
export type Pose = { x: number; y: number; turn: number; scale: number }

type Mover = (actor: Actor, moment: Moment, stage: Stage) => Pose

/** The pose by kind of movement. Distances are in pixels, speeds in pixels per second. */
export const MOVERS: Readonly<Record<Move, Mover>> = {
  still: ({ x, y, scale }) => ({ x, y, turn: 0, scale }),
  sway: ({ x, y, scale, phase }, { seconds }) => ({
    x,
    y,
    turn: Math.sin(seconds * 1.1 + phase) * 0.022,
    scale,
  }),
  bob: ({ x, y, scale, phase, heading }, { seconds }) => ({
    x: x + heading * (seconds - 4) * 7,
    y: y + Math.sin(seconds * 1.4 + phase) * 7,
    turn: Math.sin(seconds * 1.1 + phase) * 0.06,
    scale,
  }),
  drive: ({ x, y, scale, heading }, { progress, seconds }, { width }) => ({
    x: x + heading * (progress - 0.5) * width * 0.5,
    y: y + Math.sin(seconds * 9) * 0.8,
    turn: 0,
    scale,
  }),
  fly: ({ x, y, scale, phase, heading }, { progress, seconds }, { width }) => ({
    x: x + heading * (progress - 0.5) * width * 0.36 + Math.sin(seconds * 0.9 + phase) * 9,
    y: y - (progress - 0.5) * 50 + Math.sin(seconds * 1.3 + phase) * 11,
    turn: heading * -0.06 + Math.sin(seconds * 1.3 + phase) * 0.05,
    scale,
  }),
  swim: ({ x, y, scale, phase, heading }, { progress, seconds }, { width }) => ({
    x: x + heading * (progress - 0.5) * width * 0.42,
    y: y + Math.sin(seconds * 1.2 + phase) * 14,
    turn: Math.cos(seconds * 1.2 + phase) * 0.1 * heading,
    scale,
  }),
  float: ({ x, y, scale, phase }, { seconds }) => ({
    x: x + Math.sin(seconds * 0.5 + phase) * 15,
    y: y - (seconds - 4) * 9 + Math.sin(seconds * 0.8 + phase) * 6,
    turn: Math.sin(seconds * 0.7 + phase) * 0.04,
    scale,
  }),
  launch: ({ x, y, scale, heading }, { progress, seconds }, { height }) => {
    const climb = progress ** 1.35 * height * 0.34
    return {
      x: x + heading * climb * 0.2 + Math.sin(seconds * 22) * 1.2,
      y: y + height * 0.16 - climb,
      turn: heading * 0.19,
      scale,
    }
  },
  walk: ({ x, y, scale, phase }, { seconds }) => ({
    x: x + Math.sin(seconds * 0.35 + phase) * 6,
    y: y - seconds * 2.2 - Math.abs(Math.sin(seconds * 2.8 + phase)) * 2.2,
    turn: 0,
    scale: scale * (1 - seconds * 0.008),
  }),
}
