import { adjust, fade, mix } from '../colour'
import { addGrain, cutSheet, downward, makeGlow } from '../paper'
import { between, pick, randomFrom } from '../random'
import { BELOW, MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { asteroids } from './asteroids'

/** Deep space: clouds of colour, stars in three depths, the edge of a world below. */
export function space(stage: Stage): Setting {
  const planes = [
    nebula(stage),
    starPlane(stage, { depth: 0.12, count: 150, size: 1 }),
    starPlane(stage, { depth: 0.3, count: 60, size: 1.7 }),
    ringed(stage),
    world(stage),
    asteroids(stage),
  ]
  return {
    planes,
    spots: { ...spotsOf(stage, 0.5), sky: { y: stage.height * 0.36, depth: 0.55, scale: 1.2 } },
  }
}

function nebula(stage: Stage): Plane {
  const { width, height, palette, scene } = stage
  const random = randomFrom(scene.seed + 41)
  const canvas = stage.makeCanvas(width, height)
  const pen = canvas.getContext('2d')
  const deep = mix(palette.sky[0], '#04050f', 0.55)
  pen.fillStyle = downward(pen, [0, height], [deep, mix(deep, palette.sky[1], 0.55), deep])
  pen.fillRect(0, 0, width, height)
  pen.globalCompositeOperation = 'lighter'
  const clouds = [
    palette.sky[1],
    palette.sky[2],
    palette.accent,
    palette.sky[2],
    '#3f6fd8',
    palette.accent,
  ]
  const tilt = between(random, -0.5, 0.5)
  clouds.forEach((ink, index) => {
    const along = (index + 0.5) / clouds.length - 0.5
    const x = width * (0.5 + along * 1.1)
    const y = height * (0.36 + along * tilt + between(random, -0.1, 0.1))
    const radius = Math.max(width, height) * between(random, 0.22, 0.36)
    const light = pen.createRadialGradient(x, y, 0, x, y, radius)
    light.addColorStop(0, fade(ink, 0.36))
    light.addColorStop(0.5, fade(ink, 0.12))
    light.addColorStop(1, fade(ink, 0))
    pen.fillStyle = light
    pen.fillRect(0, 0, width, height)
  })
  pen.globalCompositeOperation = 'source-over'
  sow(pen, { random, count: 420, size: 0.7, width, height })
  addGrain(stage, canvas, 0.04)
  return {
    depth: 0,
    draw(target) {
      target.drawImage(canvas, 0, 0)
    },
  }
}

type Sowing = { random: () => number; count: number; size: number; width: number; height: number }

function sow(pen: Pen, { random, count, size, width, height }: Sowing): void {
  for (let star = 0; star < count; star += 1) {
    pen.fillStyle = fade(
      pick(random, ['#fff7e6', '#dfe9ff', '#ffe3cf']),
      between(random, 0.25, 0.95),
    )
    pen.beginPath()
    pen.arc(random() * width, random() * height, size * between(random, 0.4, 1.5), 0, Math.PI * 2)
    pen.fill()
  }
}

function starPlane(
  stage: Stage,
  { depth, count, size }: { depth: number; count: number; size: number },
): Plane {
  const { width, height } = stage
  const random = randomFrom(stage.scene.seed + count)
  const canvas = stage.makeCanvas(width + 2 * MARGIN, height)
  const pen = canvas.getContext('2d')
  sow(pen, { random, count, size, width: canvas.width, height })
  const glow = makeGlow(stage, '#fff3dd', 18)
  for (let star = 0; star < 7; star += 1)
    pen.drawImage(glow, random() * canvas.width, random() * height)
  return {
    depth,
    draw(target, { seconds }) {
      target.drawImage(canvas, -MARGIN - seconds * size * 2, 0)
    },
  }
}

/** A ringed planet, lit from the side of the sun. */
function ringed(stage: Stage): Plane {
  const { width, height, palette, sun } = stage
  const radius = Math.min(width, height) * 0.16
  const x = width - sun.x
  const y = height * 0.25
  const body = mix(palette.accent, palette.haze, 0.25)
  return cutSheet(stage, {
    depth: 0.34,
    top: y - radius * 2,
    bottom: y + radius * 2,
    paint(pen) {
      pen.translate(x, y)
      pen.rotate(-0.32)
      paintRing(pen, { radius, ink: mix(palette.light, body, 0.35), back: true })
      const light = pen.createRadialGradient(-radius * 0.45, -radius * 0.4, 0, 0, 0, radius * 1.15)
      light.addColorStop(0, mix(body, palette.light, 0.65))
      light.addColorStop(0.5, body)
      light.addColorStop(1, mix(body, palette.sky[0], 0.88))
      pen.fillStyle = light
      pen.beginPath()
      pen.arc(0, 0, radius, 0, Math.PI * 2)
      pen.fill()
      pen.save()
      pen.clip()
      pen.fillStyle = fade(palette.sky[1], 0.16)
      for (const [band, tall] of [
        [-0.55, 0.14],
        [-0.2, 0.22],
        [0.2, 0.12],
        [0.5, 0.2],
      ] as const) {
        pen.fillRect(-radius, band * radius, radius * 2, tall * radius)
      }
      pen.restore()
      paintRing(pen, { radius, ink: mix(palette.light, body, 0.35), back: false })
    },
  })
}

function paintRing(
  pen: Pen,
  { radius, ink, back }: { radius: number; ink: string; back: boolean },
): void {
  const [from, to] = back ? [Math.PI, Math.PI * 2] : [0, Math.PI]
  for (const [size, thick, opacity] of [
    [1.95, 0.1, 0.55],
    [1.72, 0.16, 0.8],
    [1.48, 0.08, 0.5],
  ] as const) {
    pen.strokeStyle = fade(ink, opacity)
    pen.lineWidth = radius * thick
    pen.beginPath()
    pen.ellipse(0, 0, radius * size, radius * size * 0.26, 0, from, to)
    pen.stroke()
  }
}

/** The edge of a large world with its thin, glowing air. */
function world(stage: Stage): Plane {
  const { width, height, palette } = stage
  const radius = Math.max(width, height) * 0.95
  const top = height * (height > width ? 0.72 : 0.66)
  const [x, y] = [width * 0.5, top + radius]
  const ground = mix(palette.far, palette.sky[1], 0.35)
  return cutSheet(stage, {
    depth: 0.62,
    top: top - 130,
    bottom: height + BELOW,
    paint(pen) {
      const air = pen.createRadialGradient(x, y, radius, x, y, radius + 120)
      air.addColorStop(0, fade(mix(palette.sky[2], '#9fd8ff', 0.4), 0.75))
      air.addColorStop(0.25, fade(palette.sky[2], 0.28))
      air.addColorStop(1, fade(palette.sky[2], 0))
      pen.fillStyle = air
      pen.fillRect(-MARGIN, top - 130, width + 2 * MARGIN, height)
      const body = pen.createRadialGradient(x, y, radius * 0.72, x, y, radius)
      body.addColorStop(0, mix(ground, '#04050f', 0.9))
      body.addColorStop(0.75, mix(ground, '#04050f', 0.5))
      body.addColorStop(0.985, ground)
      body.addColorStop(1, mix(ground, '#e8f6ff', 0.6))
      pen.fillStyle = body
      pen.beginPath()
      pen.arc(x, y, radius, 0, Math.PI * 2)
      pen.fill()
      pen.clip()
      paintContinents(stage, pen, { x, y, radius })
    },
  })
}

function paintContinents(
  stage: Stage,
  pen: Pen,
  { x, y, radius }: { x: number; y: number; radius: number },
): void {
  const random = randomFrom(stage.scene.seed + 45)
  for (let land = 0; land < 26; land += 1) {
    const turn = -Math.PI / 2 + between(random, -0.7, 0.7)
    const away = radius * between(random, 0.72, 0.98)
    const flat = 1 - (away / radius - 0.72) * 2.6
    pen.fillStyle = fade(
      adjust(stage.palette.haze, { lighter: -0.04 }),
      between(random, 0.05, 0.15),
    )
    pen.beginPath()
    const half = between(random, 40, 150)
    pen.ellipse(
      x + Math.cos(turn) * away,
      y + Math.sin(turn) * away,
      half,
      half * 0.4 * flat,
      turn + Math.PI / 2,
      0,
      Math.PI * 2,
    )
    pen.fill()
  }
}
