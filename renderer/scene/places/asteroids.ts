import { fade, mix } from '../colour'
import { between, randomFrom } from '../random'
import type { Plane, Stage } from '../stage'

/** Dark rocks that tumble past close by. */
export function asteroids(stage: Stage): Plane {
  const { width, height, palette } = stage
  const random = randomFrom(stage.scene.seed + 47)
  const ink = mix(palette.near, palette.sky[1], 0.25)
  const stones = Array.from({ length: 9 }, () => ({
    x: random() * width * 1.2,
    y: between(random, 0.1, 0.8) * height,
    size: 6 + 26 * random() ** 3,
    turn: random() * 6,
    spin: between(random, -0.5, 0.5),
    corners: Array.from({ length: 7 }, () => between(random, 0.7, 1.05)),
  }))
  return {
    depth: 1.05,
    draw(pen, { seconds }) {
      for (const stone of stones) {
        const corner = (index: number): readonly [number, number] => {
          const turn = (index / 7) * Math.PI * 2 + stone.turn + seconds * stone.spin
          const away = stone.size * (stone.corners[index] ?? 1)
          return [
            stone.x - seconds * 9 + Math.cos(turn) * away,
            stone.y + Math.sin(turn) * away * 0.8,
          ]
        }
        pen.fillStyle = ink
        pen.beginPath()
        for (let index = 0; index < 7; index += 1) pen.lineTo(...corner(index))
        pen.closePath()
        pen.fill()
        pen.strokeStyle = fade(palette.light, 0.22)
        pen.lineWidth = 1.5
        pen.stroke()
      }
    },
  }
}
