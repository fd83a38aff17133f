import { fade, mix } from '../colour'
import { paintBlade, paintPine } from '../flora'
import { downward, lightPlane, makeGlow, scatter } from '../paper'
import { planeInk } from '../palettes'
import { between, randomFrom, smoothNoise } from '../random'
import { paintSky } from '../sky'
import { BELOW, MARGIN, spotsOf, type Pen, type Plane, type Setting, type Stage } from '../stage'
import { ridgePlane } from '../terrain'
import { groundInk } from './hills'

/** Rows of firs in mist, light falling between them, old trunks close by. */
export function forest(stage: Stage): Setting {
  const rows = 5
  const planes: Plane[] = [...paintSky(stage)]
  for (let row = 0; row < rows; row += 1) {
    planes.push(firRow(stage, row / (rows - 1)))
    if (row < rows - 1) planes.push(mistBand(stage, row / (rows - 1)))
    if (row === 1 && sunComesThrough(stage)) planes.push(lightShafts(stage))
  }
  const spots = spotsOf(stage, 0.56)
  const y = stage.horizon + (stage.height - stage.horizon) * 0.6
  const ground = { ...spots.ground, y, depth: 0.83 }
  return { planes: [...planes, ...trunks(stage), fernEdge(stage)], spots: { ...spots, ground } }
}

function firRow(stage: Stage, part: number): Plane {
  const { height, horizon, scene, palette } = stage
  const depth = 0.12 + part * 0.68
  const random = randomFrom(scene.seed + 900 + part * 40)
  const ink = planeInk(palette, 0.08 + part * 0.8)
  const tall = height * (height > stage.width ? 0.2 + part * 0.2 : 0.3 + part * 0.3)
  return ridgePlane(stage, {
    depth,
    base: horizon + (height - horizon) * (0.02 + part ** 1.1 * 0.56),
    swing: 30,
    grain: 420,
    seed: scene.seed + 90 + part * 10,
    ink: scene.weather === 'snow' ? groundInk(stage, depth) : ink,
    mist: 0.4 - part * 0.3,
    tallest: tall + 30,
    reach: 420,
    plant(pen, heightAt) {
      const clearing = stage.width * 0.5
      for (const x of scatter(stage, Math.round(26 - part * 13), 0.8)) {
        const away = Math.min(1, Math.abs(x - clearing) / (stage.width * 0.45))
        if (part === 1 && away < 0.62) continue
        const size = tall * between(random, 0.6, 1) * (1 - part * 0.55 * (1 - away))
        paintPine(pen, { x, y: heightAt(x) + 10, tall: size }, ink)
      }
    },
  })
}

/** Mist that lies at the foot of a row and drifts. */
function mistBand(stage: Stage, part: number): Plane {
  const { height, horizon, palette, width } = stage
  const middle = horizon + (height - horizon) * (0.02 + part ** 1.1 * 0.56)
  const density = (stage.scene.weather === 'fog' ? 0.85 : 0.5) * (1 - part * 0.55)
  const canvas = stage.makeCanvas(width + 2 * MARGIN, 220)
  const pen = canvas.getContext('2d')
  const mist = mix(palette.haze, palette.light, 0.25)
  pen.fillStyle = downward(pen, [0, 220], [fade(mist, 0), fade(mist, density), fade(mist, 0)])
  pen.fillRect(0, 0, canvas.width, 220)
  return {
    depth: 0.15 + part * 0.5,
    draw(target, { seconds }) {
      target.globalAlpha = 0.85 + 0.15 * Math.sin(seconds * 0.7 + part * 9)
      target.drawImage(canvas, -MARGIN, middle - 130 + Math.sin(seconds * 0.4 + part * 5) * 10)
      target.globalAlpha = 1
    },
  }
}

function sunComesThrough({ scene }: Stage): boolean {
  return scene.time !== 'night' && (scene.weather === 'clear' || scene.weather === 'cloudy')
}

/** Beams that fan out from the sun and slowly come and go. */
function lightShafts(stage: Stage): Plane {
  const { sun, width, height, palette } = stage
  const canvas = stage.makeCanvas(width, height)
  const pen = canvas.getContext('2d')
  const random = randomFrom(stage.scene.seed + 33)
  for (let beam = 0; beam < 7; beam += 1) {
    const turn = Math.PI * (0.22 + 0.56 * ((beam + random() * 0.7) / 7))
    const spread = between(random, 0.025, 0.06)
    const reach = height * 1.1
    const light = pen.createRadialGradient(sun.x, sun.y, 60, sun.x, sun.y, reach * 0.8)
    light.addColorStop(0, fade(palette.light, 0))
    light.addColorStop(0.3, fade(palette.light, 0.16))
    light.addColorStop(1, fade(palette.light, 0))
    pen.fillStyle = light
    pen.beginPath()
    pen.moveTo(sun.x, sun.y)
    pen.lineTo(sun.x + Math.cos(turn - spread) * reach, sun.y + Math.sin(turn - spread) * reach)
    pen.lineTo(sun.x + Math.cos(turn + spread) * reach, sun.y + Math.sin(turn + spread) * reach)
    pen.fill()
  }
  return lightPlane(0.1, (target, { seconds }) => {
    target.globalAlpha = 0.75 + 0.25 * Math.sin(seconds * 0.8)
    target.drawImage(canvas, 0, 0)
  })
}

/** An old trunk at each side frames the view. */
function trunks(stage: Stage): readonly Plane[] {
  const { width, height, palette, scene } = stage
  const random = randomFrom(scene.seed + 77)
  const ink = mix(palette.near, palette.far, 0.06)
  const bark = mix(palette.near, palette.far, 0.26)
  return [0.015, 0.985].map((share, index) => {
    const thick = between(random, 84, 112)
    const left = Math.floor(share * width - thick)
    const canvas = stage.makeCanvas(Math.ceil(thick * 2), height + 2 * BELOW)
    const pen = canvas.getContext('2d')
    pen.translate(-left, BELOW)
    paintTrunk(pen, { x: share * width, thick, height, seed: scene.seed + index, ink, bark })
    return {
      depth: 1.05,
      draw(target) {
        target.drawImage(canvas, left, -BELOW)
      },
    }
  })
}

type Trunk = { x: number; thick: number; height: number; seed: number; ink: string; bark: string }

function paintTrunk(pen: Pen, trunk: Trunk): void {
  const { x, thick, height } = trunk
  const sway = smoothNoise(trunk.seed, 260)
  const centre = (y: number): number => x + sway(y) * thick * 0.35
  const half = (y: number): number => (thick / 2) * (0.72 + 0.5 * (Math.max(0, y) / height) ** 3)
  pen.fillStyle = trunk.ink
  pen.beginPath()
  for (let y = -BELOW; y <= height + BELOW; y += 24) pen.lineTo(centre(y) - half(y), y)
  for (let y = height + BELOW; y >= -BELOW; y -= 24) pen.lineTo(centre(y) + half(y), y)
  pen.fill()
  pen.strokeStyle = fade(trunk.bark, 0.5)
  pen.lineWidth = 2
  for (let groove = -2; groove <= 2; groove += 1) {
    pen.beginPath()
    for (let y = -BELOW; y <= height; y += 24) {
      pen.lineTo(centre(y) + half(y) * groove * 0.36 + sway(y * 3 + groove * 80) * 4, y)
    }
    pen.stroke()
  }
}

/** Ferns and grass along the lower edge, swaying. */
export function fernEdge(stage: Stage): Plane {
  const { width, height, palette, scene } = stage
  const random = randomFrom(scene.seed + 88)
  const ink = mix(palette.near, '#000000', 0.25)
  const blades = Array.from({ length: 90 }, () => {
    const x = between(random, -MARGIN, width + MARGIN)
    const side = Math.abs(x / width - 0.5) * 2
    return {
      x,
      y: height + 40,
      tall: between(random, 50, 100) + side ** 2 * between(random, 10, 120),
      lean: between(random, -26, 26),
      phase: x / 140 + random(),
    }
  })
  return {
    depth: 1.2,
    draw(pen, { seconds }) {
      pen.fillStyle = ink
      pen.beginPath()
      for (const blade of blades) {
        paintBlade(
          pen,
          blade,
          blade.lean + Math.sin(seconds * 1.3 + blade.phase) * blade.tall * 0.08,
        )
      }
      pen.fill()
    },
  }
}

/** Small lights that wander: fireflies, sparks of magic. */
export function fireflies(stage: Stage, count: number): Plane {
  const { width, height, horizon, palette } = stage
  const random = randomFrom(stage.scene.seed + 99)
  const glow = makeGlow(stage, mix(palette.accent, '#fff2b0', 0.5), 16)
  const flies = Array.from({ length: count }, () => ({
    x: random() * width,
    y: between(random, horizon * 0.8, height * 0.92),
    size: between(random, 12, 30),
    phase: random() * 6.3,
    speed: between(random, 0.4, 1),
  }))
  return lightPlane(0.9, (pen, { seconds }) => {
    for (const fly of flies) {
      const time = seconds * fly.speed + fly.phase
      pen.globalAlpha = Math.max(0, Math.sin(time * 2.2)) * 0.9
      const x = fly.x + Math.sin(time) * 34
      pen.drawImage(glow, x, fly.y + Math.cos(time * 1.3) * 22, fly.size, fly.size)
    }
  })
}
