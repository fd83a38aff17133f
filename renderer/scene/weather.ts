import { fade, mix } from './colour'
import { downward, makeGlow } from './paper'
import { between, randomFrom } from './random'
import { fireflies } from './places/forest'
import type { Pen, Plane, Stage } from './stage'

/** Returns the planes of falling or drifting weather in front. The camera does not move them. */
export function weatherPlanes(stage: Stage): readonly Plane[] {
  const { scene } = stage
  const planes: Plane[] = []
  const outside = scene.place !== 'space' && scene.place !== 'underwater' && scene.place !== 'room'
  if (outside && scene.weather === 'rain') planes.push(rain(stage, 1))
  if (outside && scene.weather === 'storm') planes.push(rain(stage, 1.5), lightning(stage))
  if (outside && scene.weather === 'snow') planes.push(snowfall(stage))
  if (outside && scene.weather === 'fog') planes.push(fogBank(stage, 0), fogBank(stage, 1))
  if (outside && scene.tone === 'autumn')
    planes.push(leaves(stage, ['#d9822b', '#b5512a', '#e8b04a']))
  if (scene.mood === 'dreamy') planes.push(fireflies(stage, 36))
  return planes
}

/** Falling streaks; `force` 1 is steady rain, more is a storm. */
export function rain(stage: Stage, force: number): Plane {
  const { width, height, palette } = stage
  const random = randomFrom(stage.scene.seed + 601)
  const ink = mix('#ffffff', palette.sky[2], 0.35)
  const slant = 0.16 * force
  const layers = [
    { count: 130, speed: 900, long: 34, thick: 1.1, opacity: 0.3 },
    { count: 60, speed: 1300, long: 62, thick: 1.9, opacity: 0.34 },
  ].map((layer) => ({
    ...layer,
    drops: Array.from({ length: layer.count * force }, () => [random(), random()] as const),
  }))
  return {
    depth: 0,
    draw(pen, { seconds }) {
      for (const { drops, speed, long, thick, opacity } of layers) {
        pen.strokeStyle = fade(ink, opacity)
        pen.lineWidth = thick
        pen.beginPath()
        const span = height + 120
        for (const [across, down] of drops) {
          const y = ((down * span + seconds * speed * force) % span) - 60
          const x = across * (width + 200) - y * slant
          pen.moveTo(x, y)
          pen.lineTo(x - long * slant, y + long)
        }
        pen.stroke()
      }
    },
  }
}

/** Two or three flashes in a clip: the sky whitens for a few frames, with a bolt. */
function lightning(stage: Stage): Plane {
  const { width, horizon, height } = stage
  const random = randomFrom(stage.scene.seed + 607)
  const strikes = [0.9, 3.6, 6.1].map((second) => ({
    second: second + random() * 0.9,
    path: boltPath(random, { x: between(random, 0.2, 0.8) * width, foot: horizon }),
  }))
  return {
    depth: 0,
    draw(pen, { seconds }) {
      for (const { second, path } of strikes) {
        const age = seconds - second
        if (age < 0 || age > 0.5) continue
        const flash = age < 0.09 || (age > 0.16 && age < 0.24) ? 1 : Math.max(0, 0.5 - age)
        pen.fillStyle = fade('#dfe8ff', 0.26 * flash)
        pen.fillRect(0, 0, width, height)
        strokeBolt(pen, path, flash)
      }
    },
  }
}

type Bolt = readonly (readonly [number, number])[]

function boltPath(random: () => number, { x, foot }: { x: number; foot: number }): Bolt {
  let drift = x
  return Array.from({ length: 12 }, (_, step) => {
    drift += between(random, -34, 34)
    return [drift, (step / 11) * foot] as const
  })
}

function strokeBolt(pen: Pen, path: Bolt, flash: number): void {
  pen.lineJoin = 'round'
  for (const [thick, opacity] of [
    [14, 0.12],
    [6, 0.3],
    [2.4, 0.95],
  ] as const) {
    pen.strokeStyle = fade('#f3f6ff', opacity * flash)
    pen.lineWidth = thick
    pen.beginPath()
    for (const [x, y] of path) pen.lineTo(x, y)
    pen.stroke()
  }
}

type Falling = { down: number; speed: number }

/** Returns how far down something is that falls, and starts again above the frame. */
function fallen({ down, speed }: Falling, height: number, seconds: number): number {
  const span = height + 60
  return ((down * span + seconds * speed) % span) - 30
}

/** Flakes in every size, the near ones faster. */
export function snowfall(stage: Stage): Plane {
  const { width, height } = stage
  const random = randomFrom(stage.scene.seed + 611)
  const soft = makeGlow(stage, '#ffffff', 16)
  const flakes = Array.from({ length: 190 }, () => {
    const near = random() ** 2.2
    return {
      across: random(),
      down: random(),
      size: 5 + near * 26,
      speed: 38 + near * 120,
      sway: 10 + near * 30,
      phase: random() * 6.3,
      opacity: 0.55 + 0.45 * random(),
    }
  })
  return {
    depth: 0,
    draw(pen, { seconds }) {
      for (const flake of flakes) {
        const y = fallen(flake, height, seconds)
        const x =
          flake.across * (width + 80) - 40 + Math.sin(seconds * 0.9 + flake.phase) * flake.sway
        pen.globalAlpha = flake.opacity
        pen.drawImage(soft, x, y, flake.size, flake.size)
      }
      pen.globalAlpha = 1
    },
  }
}

/** A bank of mist as wide as two frames, made of overlapping soft spots, sliding sideways. */
function fogBank(stage: Stage, order: 0 | 1): Plane {
  const { width, height, horizon, palette } = stage
  const random = randomFrom(stage.scene.seed + 617 + order)
  const tall = Math.round(height * 0.4)
  const canvas = stage.makeCanvas(width * 2, tall)
  const pen = canvas.getContext('2d')
  const spot = makeGlow(stage, mix(palette.haze, '#ffffff', 0.35), 150)
  pen.globalAlpha = 0.15
  for (let puff = 0; puff < 90; puff += 1) {
    const wide = between(random, 420, 900)
    const y = between(random, 0.25, 0.75) * tall
    pen.drawImage(spot, random() * width * 2 - wide / 2, y - tall * 0.25, wide, tall * 0.5)
  }
  const top = horizon - tall * (order === 0 ? 0.6 : 0.05)
  return {
    depth: 0,
    draw(target, { seconds }) {
      const shift = (order === 0 ? 20 : -34) * (seconds - 4)
      target.drawImage(canvas, -width / 2 + shift, top)
    },
  }
}

/** Leaves that tumble down. */
function leaves(stage: Stage, inks: readonly string[]): Plane {
  const { width, height } = stage
  const random = randomFrom(stage.scene.seed + 619)
  const all = Array.from({ length: 34 }, (_, index) => ({
    across: random(),
    down: random(),
    size: between(random, 6, 15),
    speed: between(random, 45, 105),
    phase: random() * 6.3,
    ink: inks[index % inks.length] ?? '#d9822b',
  }))
  return {
    depth: 0,
    draw(pen, { seconds }) {
      for (const leaf of all) {
        const y = fallen(leaf, height, seconds)
        const x = leaf.across * width + Math.sin(seconds * 1.1 + leaf.phase) * 44
        pen.fillStyle = leaf.ink
        pen.beginPath()
        const flat = Math.abs(Math.sin(seconds * 2.1 + leaf.phase)) * 0.5 + 0.12
        pen.ellipse(x, y, leaf.size, leaf.size * flat, seconds * 1.3 + leaf.phase, 0, Math.PI * 2)
        pen.fill()
      }
    },
  }
}

/** Darkens the corners a little and, where words stand, the lower edge a lot. */
export function paintVignette(
  pen: Pen,
  stage: Stage,
  scrim: { top: number; opacity: number },
): void {
  const { width, height } = stage
  const reach = Math.hypot(width, height) / 2
  const corners = pen.createRadialGradient(
    width / 2,
    height / 2,
    reach * 0.55,
    width / 2,
    height / 2,
    reach,
  )
  corners.addColorStop(0, 'rgba(6, 6, 14, 0)')
  corners.addColorStop(1, 'rgba(6, 6, 14, 0.34)')
  pen.fillStyle = corners
  pen.fillRect(0, 0, width, height)
  if (scrim.opacity === 0) return
  const { top, opacity } = scrim
  const shades = [0, 0.34, 0.72, 0.92, 1].map(
    (share) => `rgba(8, 8, 16, ${(share * opacity).toFixed(3)})`,
  )
  pen.fillStyle = downward(pen, [top, height], shades)
  pen.fillRect(0, top, width, height - top)
}
