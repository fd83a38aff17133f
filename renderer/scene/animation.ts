import type { Canvas, Image } from '@napi-rs/canvas'
import { aim, cameraAt } from './camera'
import { captionText, NOTE, paintCaption, runsRightToLeft, wrapCaption } from './caption'
import { castElements } from './elements/cast'
import type { Place, Scene } from './facts'
import { paletteOf } from './palettes'
import { pictureFilm } from './picture'
import { city } from './places/city'
import { forest } from './places/forest'
import { hills, mountains } from './places/hills'
import { desert, field } from './places/land'
import { room } from './places/room'
import { space } from './places/space'
import { street } from './places/street'
import { underwater } from './places/underwater'
import { lake, sea } from './places/water'
import { randomFrom } from './random'
import type { Moment, Pen, Plane, Setting, Stage } from './stage'
import { paintVignette, weatherPlanes } from './weather'

export type Shot = {
  scene: Scene
  width: number
  height: number
  /** Drawn on the picture unless it is null or the scene has no caption. */
  caption: string | null
  /** What the camera moves over in place of a painted scene. Null: none. */
  picture?: Image | null
  /** What the picture becomes at the end. Null: the picture stays. */
  endPicture?: Image | null
}

/** The canvases and fonts of the machine. */
export type Studio = {
  makeCanvas(width: number, height: number): Canvas
  /** CSS family list of the caption. */
  fontFamily: string
}

export type Animation = { draw(pen: Pen, moment: Moment): void }

const SETTINGS: Readonly<Record<Place, (stage: Stage) => Setting>> = {
  hills,
  mountains,
  lake,
  sea,
  forest,
  field,
  desert,
  city,
  street,
  room,
  space,
  underwater,
}

/**
 * Builds a shot: paints every plane once, so that drawing a frame only moves them. `draw` fills the
 * whole frame. Equal shots and moments give equal pixels.
 */
export function openAnimation(shot: Shot, studio: Studio): Animation {
  const stage = stageOf(shot, studio)
  const { picture = null, endPicture = null } = shot
  if (picture !== null) {
    return pictureFilm({ picture, endPicture, stage, front: overlay(stage, shot, studio) })
  }
  const planes = castElements(stage, SETTINGS[shot.scene.place](stage))
  const front: readonly Plane[] = [...weatherPlanes(stage), overlay(stage, shot, studio)]
  return {
    draw(pen, moment) {
      const camera = cameraAt(shot.scene, moment)
      for (const plane of planes) {
        aim(pen, stage, { camera, depth: plane.depth })
        plane.draw(pen, moment)
      }
      pen.resetTransform()
      for (const plane of front) plane.draw(pen, moment)
    },
  }
}

/** Height of the sun or moon above the horizon, as a share of the sky. */
const RISE = { dawn: 0.13, day: 0.62, dusk: 0.1, night: 0.62 } as const
const RADIUS = { dawn: 74, day: 56, dusk: 88, night: 48 } as const

function stageOf({ scene, width, height }: Shot, studio: Studio): Stage {
  const horizon = height * (height > width ? 0.54 : 0.56)
  const side = scene.seed % 2 === 0 ? 0.68 : 0.32
  return {
    scene,
    palette: paletteOf(scene),
    width,
    height,
    horizon,
    sun: { x: width * side, y: horizon * (1 - RISE[scene.time]), radius: RADIUS[scene.time] },
    random: randomFrom(scene.seed),
    makeCanvas: (wide, tall) => studio.makeCanvas(wide, tall),
  }
}

/** Returns the lines of the caption: the prompt, and a note about what the picture does not show. */
function captionOf({ scene, caption, picture = null }: Shot): { text: string; note: string } {
  if (caption === null || !scene.caption) return { text: '', note: '' }
  return { text: captionText(caption), note: picture === null ? captionText(noteOf(scene)) : '' }
}

function noteOf({ missing, isInvented }: Scene): string {
  if (missing.length > 0) return `Not drawn: ${missing.join(', ')}`
  return isInvented ? 'Scene only' : ''
}

/** Returns all that does not move as one plane: vignette, scrim and caption. */
function overlay(stage: Stage, shot: Shot, studio: Studio): Plane {
  const { width, height } = stage
  const canvas = studio.makeCanvas(width, height)
  const pen = canvas.getContext('2d')
  const portrait = height > width
  const size = portrait ? 36 : 34
  const look = {
    font: `600 ${size}px ${studio.fontFamily}`,
    noteFont: `600 ${size * NOTE}px ${studio.fontFamily}`,
    size,
    side: portrait ? 44 : 56,
    foot: portrait ? 72 : 44,
    mark: stage.palette.accent,
  }
  pen.font = look.font
  const { text, note } = captionOf(shot)
  const box = {
    width: portrait ? width - 2 * look.side - 22 : width * 0.72,
    lines: 3,
    measure: (part: string) => pen.measureText(part).width,
  }
  const lines = wrapCaption(text, box)
  pen.font = look.noteFont
  const notes = wrapCaption(note, { ...box, lines: 2 })
  const reach =
    look.foot + (lines.length + notes.length * NOTE) * size * 1.3 + (portrait ? 190 : 120)
  const isEmpty = lines.length + notes.length === 0
  paintVignette(pen, stage, { top: height - reach, opacity: isEmpty ? 0 : 0.74 })
  if (!isEmpty) {
    const rightToLeft = runsRightToLeft(text)
    paintCaption(pen, { lines, notes }, { ...look, width, height, rightToLeft })
  }
  return {
    depth: 0,
    draw(target) {
      target.drawImage(canvas, 0, 0)
    },
  }
}
