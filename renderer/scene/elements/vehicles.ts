import { mix } from '../colour'
import { cut, line, round, type Art } from './art'
import { TRAITS } from './traits'

export const car: Art = {
  ...TRAITS.car,
  paint(pen, inks) {
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.25),
      'M -50 -40 C -38 -66 -26 -70 4 -70 C 28 -70 38 -56 52 -40 Z',
    )
    cut(pen, mix(inks.lamp, inks.shade, 0.5), 'M -40 -42 C -31 -60 -24 -63 -4 -63 L -4 -42 Z')
    cut(pen, mix(inks.lamp, inks.shade, 0.5), 'M 3 -42 L 3 -63 C 22 -63 30 -54 40 -42 Z')
    cut(
      pen,
      inks.accent,
      'M -92 -14 C -94 -36 -86 -42 -52 -43 L 54 -43 C 84 -40 94 -34 94 -14 C 94 -8 88 -8 84 -8 L -86 -8 C -92 -8 -92 -10 -92 -14 Z',
    )
    cut(pen, mix(inks.accent, inks.dark, 0.3), 'M -93 -20 L 94 -20 L 93 -10 L -91 -10 Z')
    for (const x of [-54, 56]) {
      round(pen, inks.dark, [x, -10, 17])
      round(pen, inks.shade, [x, -10, 7.5])
    }
    cut(pen, inks.lamp, 'M 80 -34 Q 92 -32 93 -24 L 82 -24 Z')
    cut(pen, '#e0503a', 'M -92 -32 L -86 -32 L -86 -24 L -93 -24 Z')
  },
}

export const train: Art = {
  ...TRAITS.train,
  paint(pen, inks) {
    for (const left of [-296, -198]) {
      cut(
        pen,
        mix(inks.accent, inks.dark, 0.15),
        `M ${left} -66 L ${left + 92} -66 L ${left + 92} -14 L ${left} -14 Z`,
      )
      cut(
        pen,
        inks.dark,
        `M ${left - 2} -70 L ${left + 94} -70 L ${left + 94} -64 L ${left - 2} -64 Z`,
      )
      for (const x of [10, 30, 50, 70]) {
        cut(
          pen,
          inks.lamp,
          `M ${left + x} -56 L ${left + x + 13} -56 L ${left + x + 13} -36 L ${left + x} -36 Z`,
        )
      }
      for (const x of [18, 74]) round(pen, inks.dark, [left + x, -8, 9])
    }
    cut(pen, inks.dark, 'M -100 -14 L -100 -74 L -54 -74 L -54 -52 L 76 -52 L 82 -14 Z')
    cut(pen, inks.lamp, 'M -90 -66 L -64 -66 L -64 -46 L -90 -46 Z')
    cut(pen, inks.accent, 'M -54 -48 L 82 -48 L 82 -42 L -54 -42 Z')
    cut(pen, inks.dark, 'M 46 -52 L 42 -78 L 66 -78 L 62 -52 Z')
    cut(pen, inks.accent, 'M 40 -82 L 68 -82 L 66 -76 L 42 -76 Z')
    round(pen, inks.dark, [4, -54, 12])
    cut(pen, mix(inks.dark, inks.accent, 0.4), 'M 80 -22 L 110 0 L 74 0 Z')
    for (const [x, size] of [
      [-78, 15],
      [-42, 11],
      [-10, 13],
      [22, 13],
      [56, 10],
    ] as const) {
      round(pen, mix(inks.accent, inks.dark, 0.35), [x, -size + 4, size])
      round(pen, inks.shade, [x, -size + 4, size * 0.3])
    }
    round(pen, inks.lamp, [84, -34, 6])
  },
}

export const bicycle: Art = {
  ...TRAITS.bicycle,
  paint(pen, inks, phase) {
    for (const x of [-36, 36]) {
      pen.strokeStyle = inks.dark
      pen.lineWidth = 3
      pen.beginPath()
      pen.arc(x, -22, 21, 0, Math.PI * 2)
      pen.stroke()
    }
    line(
      pen,
      { ink: inks.accent, thick: 3.4 },
      'M -36 -22 L -14 -54 L 22 -54 L 0 -22 L -36 -22 M 0 -22 L -17 -60 M 36 -22 L 20 -64 L 30 -68',
    )
    const turn = phase * Math.PI * 2
    for (const foot of [turn, turn + Math.PI]) {
      const [x, y] = [Math.cos(foot) * 9, -22 + Math.sin(foot) * 9]
      line(pen, { ink: inks.dark, thick: 6 }, `M -14 -64 Q ${x + 16} -48 ${x} ${y}`)
    }
    line(pen, { ink: inks.body, thick: 12 }, 'M -14 -68 Q -8 -86 4 -92')
    line(pen, { ink: inks.body, thick: 5 }, 'M 4 -90 Q 14 -78 26 -70')
    round(pen, inks.shade, [8, -103, 8])
    cut(pen, inks.accent, 'M 0 -105 Q 8 -117 17 -104 L 20 -102 L 0 -102 Z')
  },
}

export const plane: Art = {
  ...TRAITS.plane,
  paint(pen, inks) {
    cut(pen, inks.accent, 'M -86 -52 L -94 -88 L -76 -88 L -54 -54 Z')
    cut(pen, mix(inks.paper, inks.shade, 0.6), 'M -10 -52 L -34 -82 L -20 -82 L 26 -52 Z')
    cut(
      pen,
      inks.paper,
      'M -90 -54 C -60 -60 50 -66 78 -58 C 96 -52 100 -46 92 -42 C 70 -34 -50 -36 -74 -42 Z',
    )
    cut(
      pen,
      inks.shade,
      'M -80 -45 C -30 -40 60 -40 96 -46 C 94 -40 88 -38 80 -37 C 40 -33 -50 -36 -74 -42 Z',
    )
    cut(pen, inks.accent, 'M 14 -46 L -36 -10 L -20 -10 L 46 -46 Z')
    cut(pen, inks.dark, 'M 74 -56 C 86 -54 90 -51 90 -50 L 74 -50 Z')
    for (const x of [-46, -32, -18, -4, 10, 24, 38, 52])
      round(pen, mix(inks.dark, inks.shade, 0.3), [x, -52, 2.6])
  },
}

export const rocket: Art = {
  ...TRAITS.rocket,
  paint(pen, inks, phase) {
    const lick = 8 * Math.sin(phase * Math.PI * 2)
    cut(pen, '#ff8a3c', `M -13 -8 Q -20 22 0 ${52 + lick} Q 20 22 13 -8 Z`)
    cut(pen, '#ffd25e', `M -9 -8 Q -12 14 0 ${34 + lick * 0.7} Q 12 14 9 -8 Z`)
    cut(pen, '#fff6da', `M -5 -8 Q -6 8 0 ${18 + lick * 0.4} Q 6 8 5 -8 Z`)
    cut(pen, mix(inks.accent, inks.dark, 0.25), 'M -18 -44 C -38 -30 -40 -12 -36 2 L -14 -12 Z')
    cut(pen, inks.accent, 'M 18 -44 C 38 -30 40 -12 36 2 L 14 -12 Z')
    cut(pen, inks.paper, 'M 0 -110 C 24 -84 26 -44 16 -8 L -16 -8 C -26 -44 -24 -84 0 -110 Z')
    cut(pen, inks.shade, 'M 0 -110 C -24 -84 -26 -44 -16 -8 L -2 -8 C -12 -44 -10 -84 0 -110 Z')
    cut(pen, inks.accent, 'M 0 -110 C 10 -100 15 -90 18 -78 L -18 -78 C -15 -90 -10 -100 0 -110 Z')
    round(pen, inks.dark, [0, -58, 9.5])
    round(pen, '#9fdcea', [0, -58, 6.8])
    cut(pen, inks.dark, 'M -12 -8 L 12 -8 L 9 -2 L -9 -2 Z')
    cut(pen, mix(inks.accent, inks.dark, 0.1), 'M -3 -34 L 3 -34 L 4 2 L -4 2 Z')
  },
}
