import { fade, mix } from '../colour'
import { lightPlane, makeGlow } from '../paper'
import { between, pick, randomFrom } from '../random'
import type { Plane, Stage } from '../stage'
import type { Wonder } from './gallery'

/** A light that fills the sky. */
export function wonderPlane(stage: Stage, wonder: Wonder): Plane {
  if (wonder === 'aurora') return aurora(stage)
  return wonder === 'rainbow' ? rainbow(stage) : fireworks(stage)
}

/** Curtains of light that wave. */
function aurora(stage: Stage): Plane {
  const { width, horizon } = stage
  const random = randomFrom(stage.scene.seed + 81)
  const inks = ['#5dffb0', '#46e0c8', '#8f7bff', '#5dffb0']
  const curtains = inks.map((ink, index) => {
    const canvas = stage.makeCanvas(26, 260)
    const pen = canvas.getContext('2d')
    const light = pen.createLinearGradient(0, 0, 0, 260)
    light.addColorStop(0, fade(ink, 0))
    light.addColorStop(0.55, fade(ink, 0.09))
    light.addColorStop(0.9, fade(ink, 0.3))
    light.addColorStop(1, fade(ink, 0))
    pen.fillStyle = light
    pen.fillRect(0, 0, 26, 260)
    return {
      canvas,
      y: horizon * (0.16 + index * 0.12),
      phase: random() * 6,
      tall: between(random, 0.7, 1.15),
    }
  })
  return lightPlane(0.035, (pen, { seconds }) => {
    for (const { canvas, y, phase, tall } of curtains) {
      for (let x = -30; x < width + 30; x += 13) {
        const wave =
          Math.sin(x / 130 + phase + seconds * 0.5) + 0.5 * Math.sin(x / 57 - seconds * 0.7 + phase)
        pen.globalAlpha = 0.6 + 0.4 * Math.sin(x / 83 + seconds * 0.9 + phase)
        const size = horizon * 0.4 * tall * (0.85 + 0.15 * Math.sin(x / 37 + phase))
        pen.drawImage(canvas, x, y + wave * horizon * 0.05, 26, size)
      }
    }
  })
}

function rainbow(stage: Stage): Plane {
  const { width, height, horizon } = stage
  const canvas = stage.makeCanvas(width, Math.ceil(horizon + 60))
  const pen = canvas.getContext('2d')
  const radius = Math.min(width, height) * 0.62
  const inks = ['#d8584f', '#ee9a4d', '#f3d75e', '#6fbf73', '#4c9fd6', '#6a6fc4', '#9a6bb8']
  inks.forEach((ink, index) => {
    pen.strokeStyle = fade(mix(ink, stage.palette.light, 0.25), 0.5)
    pen.lineWidth = 15
    pen.beginPath()
    pen.arc(width - stage.sun.x, horizon + 40, radius - index * 14.5, Math.PI, Math.PI * 2)
    pen.stroke()
  })
  return {
    depth: 0.06,
    draw(target, { seconds }) {
      target.globalAlpha = 0.85 + 0.15 * Math.sin(seconds * 0.8)
      target.drawImage(canvas, 0, 0)
      target.globalAlpha = 1
    },
  }
}

/** Rockets burst one after the other; sparks fall and fade. */
function fireworks(stage: Stage): Plane {
  const { width, horizon, palette } = stage
  const random = randomFrom(stage.scene.seed + 83)
  const inks = ['#ff7a6b', '#ffd166', '#7fe0ff', '#c39bff', '#8dffb0', palette.accent] as const
  const bursts = Array.from({ length: 26 }, (_, index) => ({
    x: between(random, 0.14, 0.86) * width,
    y: between(random, 0.14, 0.62) * horizon,
    start: index * 0.36 - 1.3 + random() * 0.3,
    reach: between(random, 130, 260),
    sparks: 34,
    glow: makeGlow(stage, pick(random, inks), 18),
    turn: random() * 6,
  }))
  return lightPlane(0.12, (pen, { seconds }) => {
    for (const burst of bursts) {
      const age = (seconds - burst.start) / 1.9
      if (age < 0 || age > 1) continue
      const out = 1 - (1 - age) ** 3
      for (let spark = 0; spark < burst.sparks; spark += 1) {
        const turn = burst.turn + (spark / burst.sparks) * Math.PI * 2
        const ring = spark % 3 === 0 ? 0.58 : 1
        for (const trail of [0, 0.08]) {
          const away = burst.reach * ring * Math.max(0, out - trail * (1 - age))
          pen.globalAlpha = (1 - age) ** 0.8 * (1 - trail * 5)
          const size = (26 - trail * 90) * (1 - age * 0.4)
          const y = burst.y + Math.sin(turn) * away + age * age * 60
          pen.drawImage(
            burst.glow,
            burst.x + Math.cos(turn) * away - size / 2,
            y - size / 2,
            size,
            size,
          )
        }
      }
    }
  })
}
