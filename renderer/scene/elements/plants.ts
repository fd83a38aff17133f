import { mix } from '../colour'
import { paintPine, paintTree } from '../flora'
import { randomFrom } from '../random'
import { cut, line, round, type Art } from './art'
import { TRAITS } from './traits'

export const tree: Art = {
  ...TRAITS.tree,
  paint(pen, inks) {
    const crown = { trunk: inks.dark, leaf: mix('#7fa84f', inks.accent, 0.16), gleam: inks.paper }
    paintTree(pen, { x: 0, y: 0, tall: 104, random: randomFrom(11) }, crown)
  },
}

export const pine: Art = {
  ...TRAITS.pine,
  paint(pen, inks) {
    paintPine(pen, { x: 0, y: 0, tall: 100 }, inks.body)
  },
}

export const palm: Art = {
  ...TRAITS.palm,
  paint(pen, inks) {
    cut(pen, inks.dark, 'M -5 4 C -3 -30 2 -60 12 -84 L 17 -82 C 9 -58 5 -30 6 4 Z')
    const leaves = [
      [-46, -70],
      [-38, -98],
      [-6, -112],
      [34, -108],
      [56, -84],
      [48, -60],
      [-20, -58],
    ] as const
    for (const [x, y] of leaves) {
      const [mx, my] = [(14 + x) / 2, Math.min(-84, y) - 12]
      cut(pen, inks.body, `M 14 -84 Q ${mx} ${my} ${x} ${y} Q ${mx + 2} ${my + 15} 14 -84 Z`)
    }
    for (const [x, y] of [
      [9, -80],
      [18, -78],
      [14, -75],
    ] as const)
      round(pen, mix(inks.accent, inks.dark, 0.5), [x, y, 4])
  },
}

export const cactus: Art = {
  ...TRAITS.cactus,
  paint(pen, inks) {
    const flesh = mix('#4f7d4a', inks.body, 0.5)
    line(pen, { ink: flesh, thick: 19 }, 'M 0 2 L 0 -92')
    line(pen, { ink: flesh, thick: 12 }, 'M 0 -36 L -24 -38 L -25 -64')
    line(pen, { ink: flesh, thick: 12 }, 'M 0 -50 L 24 -52 L 25 -80')
    const rib = mix(flesh, inks.paper, 0.18)
    line(
      pen,
      { ink: rib, thick: 1.6 },
      'M 4 0 L 4 -92 M -3 0 L -3 -94 M -23 -42 L -23 -64 M 27 -54 L 27 -80',
    )
    round(pen, inks.accent, [0, -102, 5])
    round(pen, inks.accent, [25, -87, 3.6])
  },
}

export const flower: Art = {
  ...TRAITS.flower,
  paint(pen, inks) {
    const stem = mix('#4d7f45', inks.dark, 0.45)
    line(pen, { ink: stem, thick: 3.4 }, 'M 0 10 C 4 -20 -4 -48 0 -78')
    cut(pen, stem, 'M 1 -22 C 14 -44 24 -46 28 -46 C 26 -32 16 -22 1 -18 Z')
    cut(pen, stem, 'M -1 -34 C -12 -52 -22 -54 -26 -54 C -24 -42 -16 -32 -1 -28 Z')
    for (let petal = 0; petal < 8; petal += 1) {
      const turn = (petal / 8) * Math.PI * 2
      pen.fillStyle = petal % 2 === 0 ? inks.accent : mix(inks.accent, inks.paper, 0.3)
      pen.beginPath()
      pen.ellipse(Math.cos(turn) * 13, -82 + Math.sin(turn) * 13, 11.5, 6.4, turn, 0, Math.PI * 2)
      pen.fill()
    }
    round(pen, mix('#f6c445', inks.accent, 0.15), [0, -82, 7.5])
    round(pen, mix('#a8622a', inks.accent, 0.2), [0.8, -81, 4])
  },
}

export const mushroom: Art = {
  ...TRAITS.mushroom,
  paint(pen, inks) {
    cut(pen, inks.shade, 'M -11 4 C -8 -20 -9 -34 -12 -48 L 12 -48 C 9 -34 9 -20 13 4 Z')
    cut(pen, inks.paper, 'M 2 4 C 4 -20 4 -34 2 -48 L 12 -48 C 9 -34 9 -20 13 4 Z')
    cut(pen, mix(inks.shade, inks.dark, 0.25), 'M -40 -46 Q 0 -34 40 -46 L 30 -52 L -30 -52 Z')
    cut(
      pen,
      inks.accent,
      'M -48 -46 C -46 -78 -24 -94 0 -94 C 24 -94 46 -78 48 -46 Q 0 -54 -48 -46 Z',
    )
    for (const [x, y, size] of [
      [-22, -68, 7],
      [4, -78, 8.5],
      [28, -62, 6],
      [-4, -59, 4.5],
      [-36, -55, 3.6],
    ] as const) {
      round(pen, inks.paper, [x, y, size, size * 0.78])
    }
  },
}
