import type { Scene } from './facts'
import type { Moment, Pen, Stage } from './stage'

/** The camera's shift in pixels and its magnification beyond 1, both at depth 1. */
export type Camera = { x: number; y: number; zoom: number }

const REACH = { slow: 0.65, steady: 1, fast: 1.45 } as const

/** Eases in and out: steady in the middle, slow at both ends. */
function eased(progress: number): number {
  return 0.72 * progress + 0.28 * (0.5 - 0.5 * Math.cos(Math.PI * progress))
}

/** The camera of a scene at one moment. Never leaves the margins of the planes. */
export function cameraAt(scene: Scene, { progress, seconds }: Moment): Camera {
  const reach = REACH[scene.pace]
  const part = eased(progress)
  const side = scene.seed % 2 === 0 ? 1 : -1
  const sway = Math.sin(seconds * 0.8) * 3
  switch (scene.motion) {
    case 'pan':
      return { x: side * (part - 0.5) * 110 * reach, y: sway, zoom: 0.05 }
    case 'push':
      return { x: side * (part - 0.5) * 24, y: sway, zoom: 0.04 + part * 0.13 * reach }
    case 'pull':
      return { x: side * (part - 0.5) * 24, y: sway, zoom: 0.04 + (1 - part) * 0.13 * reach }
    case 'rise':
      return { x: side * (part - 0.5) * 30, y: (0.5 - part) * 56 * reach, zoom: 0.09 }
    case 'drift':
      return {
        x: Math.sin((part - 0.5) * Math.PI) * 44 * reach * side,
        y: Math.cos(part * Math.PI * 2) * 9,
        zoom: 0.06 + part * 0.03,
      }
  }
}

/** Sets the pen's transformation for a plane of this depth. */
export function aim(pen: Pen, stage: Stage, view: { camera: Camera; depth: number }): void {
  const { camera, depth } = view
  const scale = 1 + camera.zoom * depth
  const focusX = stage.width / 2
  const focusY = stage.horizon
  pen.setTransform(
    scale,
    0,
    0,
    scale,
    focusX - focusX * scale - camera.x * depth,
    focusY - focusY * scale - camera.y * depth,
  )
}
