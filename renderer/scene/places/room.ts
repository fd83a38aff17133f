import { adjust, mix } from '../colour'
import { castShadow, cutSheet, downward, lightPlane, makeGlow, noShadow } from '../paper'
import { between, pick, randomFrom, type Random } from '../random'
import { paintSky } from '../sky'
import { BELOW, MARGIN, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { ridgePlane } from '../terrain'
import { rain, snowfall } from '../weather'

type Opening = { left: number; right: number; top: number; sill: number }
type Inks = { wall: string; wood: string; dark: string; warm: string }

/** A room at a window: the weather outside, a lamp, a plant and books inside. */
export function room(stage: Stage): Setting {
  const outside = { ...stage, horizon: stage.height * 0.46 }
  const opening = openingOf(stage)
  const inks = inksOf(stage)
  const ridges = [0, 1, 2].map((row) =>
    ridgePlane(outside, {
      depth: 0.12 + row * 0.1,
      base: outside.horizon - 40 + row * 55,
      swing: 60,
      grain: 330,
      seed: stage.scene.seed + row,
    }),
  )
  const planes = [
    ...paintSky(outside),
    ...ridges,
    ...fallingOutside(stage),
    wall(stage, { opening, inks }),
    table(stage, { opening, inks }),
    lampLight(stage, opening),
  ]
  const ground = { y: opening.sill + 4, depth: 0.62, scale: 0.8 }
  const sky = { y: stage.height * 0.26, depth: 0.2, scale: 0.7 }
  return { planes, spots: { ground, water: ground, sky } }
}

/** Behind the glass it rains or snows as the scene says. */
function fallingOutside(stage: Stage): readonly Plane[] {
  const { weather } = stage.scene
  if (weather === 'rain') return [rain(stage, 1)]
  if (weather === 'storm') return [rain(stage, 1.5)]
  return weather === 'snow' ? [snowfall(stage)] : []
}

function openingOf({ width, height }: Stage): Opening {
  const portrait = height > width
  return {
    left: width * (portrait ? 0.13 : 0.22),
    right: width * (portrait ? 0.87 : 0.78),
    top: height * (portrait ? 0.12 : 0.08),
    sill: height * (portrait ? 0.56 : 0.6),
  }
}

function inksOf({ palette, scene }: Stage): Inks {
  const dim = scene.time === 'night' || scene.time === 'dusk'
  const wall = mix(mix(palette.far, palette.near, dim ? 0.62 : 0.2), '#b5744e', 0.25)
  return {
    wall,
    wood: mix('#6b3d2a', palette.near, dim ? 0.55 : 0.3),
    dark: mix(palette.near, '#1a0f14', 0.4),
    warm: mix(palette.accent, '#ffd9a0', 0.4),
  }
}

type Interior = { opening: Opening; inks: Inks }

function wall(stage: Stage, { opening, inks }: Interior): Plane {
  const { width, height } = stage
  return cutSheet(stage, {
    depth: 0.55,
    top: -BELOW,
    bottom: height + BELOW,
    paint(pen) {
      pen.fillStyle = downward(
        pen,
        [0, height],
        [adjust(inks.wall, { lighter: -0.05 }), inks.wall, adjust(inks.wall, { lighter: -0.08 })],
      )
      pen.fillRect(-MARGIN, -BELOW, width + 2 * MARGIN, height + 2 * BELOW)
      paintFrame(pen, { opening, inks })
      paintCurtains(pen, { opening, inks }, stage)
    },
  })
}

/** The window is cut out of the wall; its bars and sill are put back. */
function paintFrame(pen: Pen, { opening, inks }: Interior): void {
  const { left, right, top, sill } = opening
  const [wide, tall] = [right - left, sill - top]
  castShadow(pen, '#000000', 30)
  pen.fillStyle = inks.wood
  pen.beginPath()
  pen.roundRect(left - 22, top - 22, wide + 44, tall + 34, [26, 26, 4, 4])
  pen.fill()
  noShadow(pen)
  pen.globalCompositeOperation = 'destination-out'
  pen.beginPath()
  pen.roundRect(left, top, wide, tall, [14, 14, 0, 0])
  pen.fill()
  pen.globalCompositeOperation = 'source-over'
  pen.fillStyle = inks.wood
  pen.fillRect(left + wide / 2 - 6, top, 12, tall)
  pen.fillRect(left, top + tall * 0.36 - 5, wide, 10)
  castShadow(pen, '#000000', 20)
  pen.fillStyle = adjust(inks.wood, { lighter: 0.06 })
  pen.fillRect(left - 50, sill, wide + 100, 22)
  noShadow(pen)
}

function paintCurtains(pen: Pen, { opening }: Interior, stage: Stage): void {
  const { left, right, top, sill } = opening
  const cloth = mix(stage.palette.accent, stage.palette.near, 0.35)
  const fall = sill - top + 150
  for (const [edge, side] of [
    [left, -1],
    [right, 1],
  ] as const) {
    for (let fold = 4; fold >= 0; fold -= 1) {
      const x = edge + side * (fold * 17 - 46)
      pen.fillStyle = adjust(cloth, { lighter: fold % 2 === 0 ? -0.03 : 0.025 })
      pen.beginPath()
      pen.moveTo(x - 14, top - 46)
      pen.lineTo(x + 14, top - 46)
      pen.quadraticCurveTo(x + 12 + side * 26, top + fall * 0.6, x + 20 + side * 8, top + fall)
      pen.lineTo(x - 20 + side * 8, top + fall)
      pen.quadraticCurveTo(x - 12 + side * 26, top + fall * 0.6, x - 14, top - 46)
      pen.fill()
    }
  }
  pen.fillStyle = adjust(cloth, { lighter: -0.14 })
  pen.fillRect(left - 90, top - 54, right - left + 180, 9)
}

function table(stage: Stage, { opening, inks }: Interior): Plane {
  const { width, height } = stage
  const top = opening.sill + (height - opening.sill) * 0.4
  const random = randomFrom(stage.scene.seed + 64)
  return cutSheet(stage, {
    depth: 0.85,
    top: opening.sill - 220,
    bottom: height + BELOW,
    paint(pen) {
      castShadow(pen, '#000000', 30)
      pen.fillStyle = downward(pen, [top, height], [mix(inks.wood, inks.warm, 0.16), inks.dark])
      pen.fillRect(-MARGIN, top, width + 2 * MARGIN, height + BELOW - top)
      noShadow(pen)
      paintBooks(pen, { x: width * 0.2, foot: top, random }, inks)
      paintPlant(pen, { x: width * 0.5, foot: top, random }, inks)
      paintLamp(pen, { x: width * 0.8, foot: top, random }, inks)
    },
  })
}

type Thing = { x: number; foot: number; random: Random }

function paintBooks(pen: Pen, { x, foot, random }: Thing, inks: Inks): void {
  let y = foot
  for (let book = 0; book < 5; book += 1) {
    const tall = between(random, 15, 25)
    const wide = between(random, 110, 150)
    const shift = between(random, -12, 12)
    const cover = pick(random, [inks.warm, '#b5483a', '#3f7f86', '#d8b46a', '#5a4a7a'])
    pen.fillStyle = mix(cover, inks.dark, 0.35)
    pen.fillRect(x - wide / 2 + shift, y - tall, wide, tall)
    pen.fillStyle = mix('#efe2c8', inks.dark, 0.35)
    pen.fillRect(x + wide / 2 + shift - 10, y - tall + 3, 8, tall - 6)
    y -= tall
  }
}

function paintPlant(pen: Pen, { x, foot, random }: Thing, inks: Inks): void {
  pen.fillStyle = mix('#4f8a5a', inks.dark, 0.35)
  for (let leaf = 0; leaf < 11; leaf += 1) {
    const turn = -Math.PI / 2 + (leaf / 10 - 0.5) * 2.3
    const reach = between(random, 90, 150)
    pen.beginPath()
    pen.ellipse(
      x + Math.cos(turn) * reach * 0.5,
      foot - 52 + Math.sin(turn) * reach * 0.5,
      reach / 2,
      13,
      turn,
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
  pen.fillStyle = mix('#c8744a', inks.dark, 0.25)
  pen.beginPath()
  pen.moveTo(x - 40, foot - 66)
  pen.lineTo(x + 40, foot - 66)
  pen.lineTo(x + 29, foot)
  pen.lineTo(x - 29, foot)
  pen.fill()
}

function paintLamp(pen: Pen, { x, foot }: Thing, inks: Inks): void {
  pen.fillStyle = inks.dark
  pen.fillRect(x - 4, foot - 130, 8, 126)
  pen.fillRect(x - 34, foot - 8, 68, 8)
  pen.fillStyle = downward(
    pen,
    [foot - 200, foot - 118],
    [inks.warm, mix(inks.warm, '#ffffff', 0.35)],
  )
  pen.beginPath()
  pen.moveTo(x - 34, foot - 200)
  pen.lineTo(x + 34, foot - 200)
  pen.lineTo(x + 62, foot - 118)
  pen.lineTo(x - 62, foot - 118)
  pen.fill()
}

function lampLight(stage: Stage, opening: Opening): Plane {
  const { width, height, palette, scene } = stage
  const glow = makeGlow(stage, mix(palette.accent, '#ffdca8', 0.5), 300)
  const y = opening.sill + (height - opening.sill) * 0.4 - 150
  const strength = scene.time === 'day' ? 0.3 : 0.6
  return lightPlane(0.85, (pen, { seconds }) => {
    pen.globalAlpha = strength * (0.97 + 0.03 * Math.sin(seconds * 5))
    pen.drawImage(glow, width * 0.8 - 300, y - 300)
  })
}
