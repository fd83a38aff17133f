import type { Image } from '@napi-rs/canvas'
import type { Scene } from './facts'
import type { Moment, Pen, Plane, Stage } from './stage'

type Given = {
  picture: Image
  endPicture: Image | null
  stage: Stage
  /** Drawn over the picture: the caption. */
  front: Plane
}

/** The progress at which the picture for the end begins to show. */
const FADE_FROM = 0.5

/** How far the camera has come closer at the end, beyond 1. */
const CLOSER = { slow: 0.1, steady: 0.16, fast: 0.24 } as const

/**
 * Returns an animation that begins with the whole picture. The camera comes slowly closer, and moves to a side
 * or upwards if the words ask for that. It never shows an edge. A picture for the end fades in, and is whole
 * in the last frame.
 */
export function pictureFilm({ picture, endPicture, stage, front }: Given) {
  const { scene, width, height } = stage
  return {
    draw(pen: Pen, moment: Moment): void {
      const { x, y, zoom } = viewAt(scene, moment)
      const wide = width * zoom
      const tall = height * zoom
      pen.resetTransform()
      pen.drawImage(picture, (width - wide) * x, (height - tall) * y, wide, tall)
      const share = (moment.progress - FADE_FROM) / (1 - FADE_FROM)
      if (endPicture !== null && share > 0) {
        pen.globalAlpha = share
        pen.drawImage(endPicture, 0, 0, width, height)
        pen.globalAlpha = 1
      }
      front.draw(pen, moment)
    },
  }
}

/** The magnification, and where the frame lies in the larger picture: 0 to 1 from left and from top. */
export function viewAt({ motion, pace, seed }: Scene, { progress }: Moment) {
  const zoom = 1 + CLOSER[pace] * progress
  const side = seed % 2 === 0 ? 1 : 0
  const isSideways = motion === 'pan' || motion === 'drift'
  return { zoom, x: isSideways ? side : 0.5, y: motion === 'rise' ? 0 : 0.5 }
}
