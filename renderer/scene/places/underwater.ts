import { adjust, fade, mix } from '../colour'
import { addGrain, downward, makeGlow } from '../paper'
import { planeInk, type Palette } from '../palettes'
import { between, pick, randomFrom } from '../random'
import { MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { ridgePlane } from '../terrain'

/** Under the surface: light from above, reefs, swaying weed, bubbles. */
export function underwater(stage: Stage): Setting {
  const { height } = stage
  const lit = { ...stage, palette: sunken(stage.palette) }
  const reefs = [0, 1, 2, 3].map((row) => reef(lit, row))
  const planes = [
    depths(lit),
    rays(lit),
    ...reefs.slice(0, 2),
    weeds(lit, { depth: 0.5, foot: height * 0.84, count: 14 }),
    ...reefs.slice(2),
    weeds(lit, { depth: 1.1, foot: height + 30, count: 12 }),
    bubbles(lit),
  ]
  const ground = { y: height * 0.8, depth: 0.7, scale: 1 }
  const swim = { y: height * 0.42, depth: 0.5, scale: 1 }
  return { planes, spots: { ...spotsOf(stage, 0.6), ground, water: swim, sky: swim } }
}

/** Whatever the hour, water lets blue through and little else. */
function sunken(palette: Palette): Palette {
  const blue = (ink: string, share: number): string =>
    mix(ink, adjust('#0f6f9c', { lighter: 0 }), share)
  return {
    ...palette,
    sky: [mix('#8fe3e0', palette.light, 0.25), '#1f8fb0', '#0a3f68'],
    haze: blue('#3fb0c0', 0.2),
    far: blue(palette.far, 0.6),
    near: mix(palette.near, '#031c33', 0.6),
  }
}

function depths(stage: Stage): Plane {
  const { width, height, palette, sun } = stage
  const canvas = stage.makeCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = downward(
    pen,
    [0, height],
    [palette.sky[0], palette.sky[1], palette.sky[2], palette.near],
  )
  pen.fillRect(0, 0, width, height)
  const light = pen.createRadialGradient(sun.x, -40, 0, sun.x, -40, height * 0.7)
  light.addColorStop(0, fade(palette.light, 0.9))
  light.addColorStop(0.25, fade(palette.light, 0.35))
  light.addColorStop(1, fade(palette.light, 0))
  pen.fillStyle = light
  pen.fillRect(0, 0, width, height)
  addGrain(stage, canvas, 0.035)
  return {
    depth: 0,
    draw(target) {
      target.drawImage(canvas, 0, 0)
    },
  }
}

/** Slanting light that sways with the waves above. */
function rays(stage: Stage): Plane {
  const { height, palette, sun } = stage
  const random = randomFrom(stage.scene.seed + 51)
  const beams = Array.from({ length: 8 }, (_, index) => ({
    x: sun.x + (index - 3.5) * 70 + between(random, -20, 20),
    lean: (index - 3.5) * 70 + between(random, -40, 40),
    wide: between(random, 18, 60),
    phase: random() * 6,
  }))
  return {
    depth: 0.05,
    draw(pen, { seconds }) {
      const light = downward(
        pen,
        [0, height * 0.75],
        [fade(palette.light, 0.3), fade(palette.light, 0.08), fade(palette.light, 0)],
      )
      pen.fillStyle = light
      for (const beam of beams) {
        const sway = Math.sin(seconds * 0.6 + beam.phase)
        pen.globalAlpha = 0.6 + 0.4 * sway
        pen.beginPath()
        pen.moveTo(beam.x - beam.wide * 0.2, -10)
        pen.lineTo(beam.x + beam.wide * 0.2, -10)
        pen.lineTo(beam.x + beam.lean + beam.wide + sway * 16, height * 0.75)
        pen.lineTo(beam.x + beam.lean - beam.wide + sway * 16, height * 0.75)
        pen.fill()
      }
      pen.globalAlpha = 1
    },
  }
}

function reef(stage: Stage, row: number): Plane {
  const { height, scene, palette, width } = stage
  const part = row / 3
  const ink = mix(planeInk(palette, 0.05 + part * 0.85), palette.sky[2], 0.55 * (1 - part))
  const random = randomFrom(scene.seed + 520 + row)
  return ridgePlane(stage, {
    depth: 0.15 + part * 0.75,
    base: height * (0.68 + part * 0.2),
    swing: 110 - part * 30,
    grain: 240 + part * 120,
    seed: scene.seed + 510 + row,
    ink,
    mist: 0.35 - part * 0.3,
    plant(pen, outline) {
      for (let growth = 0; growth < 7 + row; growth += 1) {
        const x = between(random, -MARGIN, width + MARGIN)
        const warm = pick(random, [palette.accent, '#e8738a', '#f0a45e', '#b58be0'])
        const colour = mix(warm, ink, 0.75 - part * 0.35)
        paintCoral(pen, {
          x,
          y: outline(x) + 10,
          tall: between(random, 50, 120) * (0.6 + part * 0.7),
          colour,
          random,
        })
      }
    },
  })
}

type Coral = { x: number; y: number; tall: number; colour: string; random: () => number }

/** A branching coral, or a round brain coral. */
function paintCoral(pen: Pen, { x, y, tall, colour, random }: Coral): void {
  if (random() < 0.35) {
    pen.fillStyle = colour
    pen.beginPath()
    pen.ellipse(x, y, tall * 0.55, tall * 0.42, 0, Math.PI, 0)
    pen.fill()
    return
  }
  pen.strokeStyle = colour
  pen.lineCap = 'round'
  const branch = (foot: readonly [number, number], turn: number, reach: number): void => {
    const tip = [foot[0] + Math.sin(turn) * reach, foot[1] - Math.cos(turn) * reach] as const
    pen.lineWidth = Math.max(3, reach * 0.2)
    pen.beginPath()
    pen.moveTo(...foot)
    pen.lineTo(...tip)
    pen.stroke()
    if (reach < tall * 0.16) return
    branch(tip, turn - between(random, 0.25, 0.6), reach * 0.68)
    branch(tip, turn + between(random, 0.25, 0.6), reach * 0.68)
  }
  branch([x, y], between(random, -0.2, 0.2), tall * 0.4)
}

type Bed = { depth: number; foot: number; count: number }

/** Long leaves that follow the swell from foot to tip. */
function weeds(stage: Stage, { depth, foot, count }: Bed): Plane {
  const { width, height, palette } = stage
  const random = randomFrom(stage.scene.seed + 53 + count)
  const ink = mix(planeInk(palette, Math.min(1, depth)), '#1f7a5a', 0.3)
  const leaves = Array.from({ length: count * 3 }, (_, index) => ({
    x: (Math.floor(index / 3) / (count - 1)) * (width + 160) - 80 + between(random, -46, 46),
    tall: height * between(random, 0.1, 0.24) * (0.8 + depth * 0.4),
    phase: random() * 6,
    thick: between(random, 6, 13) * (0.6 + depth * 0.5),
  }))
  return {
    depth,
    draw(pen, { seconds }) {
      pen.fillStyle = ink
      pen.beginPath()
      for (const leaf of leaves) {
        const swing = (part: number): number =>
          Math.sin(seconds * 1.1 + leaf.phase - part * 2.4) * leaf.tall * 0.13 * part
        pen.moveTo(leaf.x - leaf.thick / 2, foot)
        for (let step = 1; step <= 8; step += 1) {
          const part = step / 8
          const half = (leaf.thick / 2) * (1 - part) ** 0.6
          pen.lineTo(leaf.x + swing(part) - half, foot - leaf.tall * part)
        }
        for (let step = 8; step >= 0; step -= 1) {
          const part = step / 8
          const half = (leaf.thick / 2) * (1 - part) ** 0.6
          pen.lineTo(leaf.x + swing(part) + half, foot - leaf.tall * part)
        }
      }
      pen.fill()
    },
  }
}

function bubbles(stage: Stage): Plane {
  const { width, height } = stage
  const random = randomFrom(stage.scene.seed + 57)
  const glow = makeGlow(stage, '#e8fffb', 12)
  const all = Array.from({ length: 34 }, () => ({
    x: random() * width,
    y: random() * height,
    size: 2 + 9 * random() ** 2,
    speed: between(random, 40, 110),
    phase: random() * 6,
  }))
  return {
    depth: 0.9,
    draw(pen, { seconds }) {
      for (const bubble of all) {
        const travelled = (bubble.y - seconds * bubble.speed) % height
        const y = travelled < 0 ? travelled + height : travelled
        const x = bubble.x + Math.sin(seconds * 2 + bubble.phase) * 8
        pen.strokeStyle = 'rgba(235, 255, 252, 0.5)'
        pen.lineWidth = 1.4
        pen.beginPath()
        pen.arc(x, y, bubble.size, 0, Math.PI * 2)
        pen.stroke()
        pen.drawImage(glow, x - bubble.size * 0.8, y - bubble.size * 0.8, bubble.size, bubble.size)
      }
    },
  }
}
