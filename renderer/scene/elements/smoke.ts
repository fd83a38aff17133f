import { fade, mix } from '../colour'
import { between, randomFrom } from '../random'
import type { Plane, Stage } from '../stage'
import { MOVERS, type Actor } from './moves'

/** The cloud a rising rocket leaves behind: small and bright at its tail, wide and faint below. */
export function smokeTrail(stage: Stage, { actor, depth }: { actor: Actor; depth: number }): Plane {
  const random = randomFrom(stage.scene.seed + 91)
  const { palette } = stage
  const ink = mix(
    mix('#fff6ea', palette.sky[2], 0.3),
    palette.sky[1],
    stage.scene.time === 'night' ? 0.4 : 0.1,
  )
  const puffs = Array.from({ length: 46 }, (_, index) => ({
    age: (index / 46) * 1.3,
    side: between(random, -1, 1),
    size: between(random, 0.7, 1.25),
    shade: fade(mix(ink, palette.accent, random() * 0.16), 0.85),
  })).reverse()
  return {
    depth: depth - 0.005,
    draw(pen, { seconds, progress }) {
      for (const puff of puffs) {
        const then = Math.max(-0.12, progress - puff.age * 0.3)
        const past = { seconds, progress: Math.max(0, then) }
        const pose = MOVERS.launch(actor, past, stage)
        const sunk = then < 0 ? -then * stage.height * 0.5 : 0
        const spread = 9 + puff.age * 62
        pen.fillStyle = puff.shade
        pen.globalAlpha = Math.max(0, 0.9 - puff.age * 0.6)
        pen.beginPath()
        const x = pose.x - actor.heading * 8 + puff.side * spread * 0.7
        const y = pose.y + 66 * actor.scale * 0.62 + sunk + puff.age * 60
        pen.arc(x, y, spread * puff.size * 0.62, 0, Math.PI * 2)
        pen.fill()
      }
      pen.globalAlpha = 1
    },
  }
}
