import type { Canvas } from '@napi-rs/canvas'
import { adjust, fade, mix } from '../colour'
import { isRunner, type ElementKind } from '../facts'
import { castShadow, makeGlow } from '../paper'
import { between, randomFrom } from '../random'
import type { Moment, Pen, Plane, Setting, Spot, Stage } from '../stage'
import type { Art, Inks } from './art'
import { divingWhale } from './afloat'
import { GALLERY, isWonder, type Wonder } from './gallery'
import { MOVERS, type Actor } from './moves'
import { RUNNING } from './runners'
import { smokeTrail } from './smoke'
import { wonderPlane } from './wonders'

/** Room around a drawing for its shadow, in pixels. */
const PAD = 24

/** Puts the elements of a scene on its planes, each at its depth; the first is the main subject. */
export function castElements(stage: Stage, setting: Setting): readonly Plane[] {
  const planes = [...setting.planes]
  stage.scene.elements.forEach((kind, order) => {
    const added = isWonder(kind)
      ? [wonderPlane(stage, kind)]
      : actorPlanes(stage, { kind, art: artOf(kind, stage), spots: setting.spots, order })
    for (const plane of added) planes.splice(indexFor(planes, plane.depth), 0, plane)
  })
  return planes
}

function artOf(kind: Exclude<ElementKind, Wonder>, { scene }: Stage): Art {
  if (kind === 'whale' && scene.place === 'underwater') return divingWhale
  return isRunner(kind) && scene.running.includes(kind) ? RUNNING[kind] : GALLERY[kind]
}

/** Returns the index after the last plane that is not nearer. */
function indexFor(planes: readonly Plane[], depth: number): number {
  return planes.findLastIndex((plane) => plane.depth <= depth) + 1
}

type Part = { kind: ElementKind; art: Art; spots: Setting['spots']; order: number }

function actorPlanes(stage: Stage, part: Part): readonly Plane[] {
  const { kind, art, order } = part
  const spot = part.spots[art.where]
  const actors = arrange(stage, { art, spot, order })
  const largest = Math.max(...actors.map((actor) => actor.scale))
  const inks = inksAt(stage, { depth: spot.depth, own: stage.scene.colours[kind] ?? null })
  const sprites = paintPhases(stage, { art, inks, scale: largest })
  const glow = art.glow ? makeGlow(stage, inks.lamp, Math.round(art.glow.radius * largest)) : null
  const depth = spot.depth + (order === 0 ? 0.01 : -0.02 - order * 0.01)
  const troupe: Troupe = { art, actors, sprites, glow, largest, shadow: shadowOf(stage, art) }
  const plane: Plane = {
    depth,
    draw(pen, moment) {
      for (const actor of actors) drawActor(pen, { stage, moment }, { troupe, actor })
    },
  }
  const [hero] = actors
  return art.move === 'launch' && hero
    ? [smokeTrail(stage, { actor: hero, depth }), plane]
    : [plane]
}

type Group = { art: Art; spot: Spot; order: number }

/** Places the copies of one kind: the main subject beside the middle, the others around it. */
function arrange(stage: Stage, { art, spot, order }: Group): readonly Actor[] {
  const { width, height, sun } = stage
  const random = randomFrom(stage.scene.seed + 2000 + order * 97)
  const lead = order === 0
  const count = art.copies?.[lead ? 1 : 0] ?? 1
  const unit = (art.size / 100) * spot.scale * (height > width ? 1 : 0.92)
  const away = sun.x < width / 2 ? 1 : -1
  const middle = width * (lead ? 0.5 + away * 0.1 : 0.5 + (order % 2 === 0 ? 1 : -1) * away * 0.25)
  const heading = random() < 0.5 ? 1 : -1
  return Array.from({ length: count }, (_, copy): Actor => {
    const first = copy === 0
    const scale = unit * (first ? (lead ? 1.4 : 0.85) : between(random, 0.4, 0.8))
    const ring = first ? 0 : 1
    const spread = art.where === 'sky' ? 0.42 : 0.46
    const x = middle + ring * (((copy * 0.618) % 1) - 0.5) * 2 * spread * width
    const half = Math.min(width * 0.4, Math.max(-art.box[0], art.box[2]) * scale * 0.8)
    const inside = Math.min(width - half, Math.max(half, x))
    return {
      x: inside,
      y: footOf(stage, { art, spot, x: inside, ring, random }),
      scale,
      heading,
      phase: random() * Math.PI * 2,
    }
  }).sort((one, other) => one.scale - other.scale)
}

type Footing = { art: Art; spot: Spot; x: number; ring: number; random: () => number }

function footOf(stage: Stage, { art, spot, x, ring, random }: Footing): number {
  if (art.where !== 'sky') return (spot.footAt?.(x) ?? spot.y) + ring * between(random, -12, 16)
  const band = stage.horizon * (art.move === 'float' ? 0.42 : 0.24)
  return spot.y + art.size * 0.5 + ring * between(random, -band, band)
}

/** Paper in the light of the hour; silhouettes take the ink of the nearest plane. */
function inksAt(
  { palette, scene }: Stage,
  { depth, own }: { depth: number; own: string | null },
): Inks {
  const dim = scene.time === 'night' ? 0.3 : scene.time === 'day' ? 0.04 : 0.14
  const paper = mix(mix('#fffaf0', palette.light, 0.25), palette.sky[1], dim)
  const dark = mix(
    adjust(palette.near, { lighter: -0.02 }),
    palette.far,
    Math.max(0, 0.25 - depth * 0.2),
  )
  const warm = mix(palette.accent, '#ffe3a1', 0.5)
  return {
    dark,
    body: mix(dark, palette.far, 0.34),
    hide: mix('#a8663c', dark, scene.time === 'night' ? 0.45 : 0.25),
    own: own === null ? null : mix(own, dark, scene.time === 'night' ? 0.35 : 0.12),
    paper,
    shade: mix(paper, mix(palette.sky[1], palette.far, 0.5), 0.42),
    accent: mix(own ?? palette.accent, palette.near, scene.time === 'night' ? 0.16 : 0.03),
    lamp: scene.time === 'day' ? mix(warm, palette.sky[0], 0.35) : warm,
  }
}

type Painting = { art: Art; inks: Inks; scale: number }

function paintPhases(stage: Stage, { art, inks, scale }: Painting): readonly Canvas[] {
  const [left, top, right, bottom] = art.box
  const width = Math.ceil((right - left) * scale) + 2 * PAD
  const height = Math.ceil((bottom - top) * scale) + 2 * PAD
  const phases = art.phases ?? 1
  return Array.from({ length: phases }, (_, phase) => {
    const flat = stage.makeCanvas(width, height)
    const pen = flat.getContext('2d')
    pen.translate(PAD - left * scale, PAD - top * scale)
    pen.scale(scale, scale)
    art.paint(pen, inks, phase / phases)
    const lifted = stage.makeCanvas(width, height)
    const liftedPen = lifted.getContext('2d')
    castShadow(liftedPen, stage.palette.near, 12)
    liftedPen.drawImage(flat, 0, 0)
    return lifted
  })
}

/** Returns the ink of the shadow under an element; in water and air there is none. */
function shadowOf(stage: Stage, art: Art): string | null {
  return art.where === 'ground' ? fade(stage.palette.near, 0.3) : null
}

type Troupe = {
  art: Art
  actors: readonly Actor[]
  sprites: readonly Canvas[]
  glow: Canvas | null
  largest: number
  shadow: string | null
}
type View = { stage: Stage; moment: Moment }

function drawActor(
  pen: Pen,
  { stage, moment }: View,
  { troupe, actor }: { troupe: Troupe; actor: Actor },
): void {
  const { art, sprites, glow, largest } = troupe
  const [left, top] = art.box
  const pose = MOVERS[art.move ?? 'still'](actor, moment, stage)
  const cycle = moment.seconds * (art.tempo ?? 0) + actor.phase / (Math.PI * 2)
  const sprite = sprites[Math.floor((cycle % 1) * sprites.length)]
  if (sprite === undefined) return
  const share = pose.scale / largest
  pen.save()
  pen.translate(pose.x, pose.y)
  if (troupe.shadow !== null) {
    pen.fillStyle = troupe.shadow
    pen.beginPath()
    pen.ellipse(0, 2, (art.box[2] - left) * 0.4 * pose.scale, 5 * pose.scale, 0, 0, Math.PI * 2)
    pen.fill()
  }
  pen.rotate(pose.turn)
  pen.scale(share * actor.heading, share)
  pen.drawImage(sprite, left * largest - PAD, top * largest - PAD)
  if (glow !== null && art.glow) {
    const flicker =
      0.86 + 0.1 * Math.sin(moment.seconds * 6 + actor.phase) + 0.04 * Math.sin(moment.seconds * 17)
    pen.globalCompositeOperation = 'lighter'
    pen.globalAlpha = stage.scene.time === 'day' ? 0.35 * flicker : 0.8 * flicker
    pen.drawImage(
      glow,
      art.glow.x * largest - glow.width / 2,
      art.glow.y * largest - glow.height / 2,
    )
  }
  pen.restore()
}
