import { mix } from '../colour'
import { cut, line, round, type Art } from './art'
import { TRAITS } from './traits'

export const bird: Art = {
  ...TRAITS.bird,
  paint(pen, inks, phase) {
    const lift = Math.sin(phase * Math.PI * 2)
    const tip = -50 - lift * 36
    const elbow = -56 - lift * 20
    cut(
      pen,
      inks.dark,
      `M 0 -52 Q -20 ${elbow - 12} -56 ${tip} Q -26 ${elbow + 8} 0 -40 Q 26 ${elbow + 8} 56 ${tip} Q 20 ${elbow - 12} 0 -52 Z`,
    )
    cut(pen, inks.dark, 'M -4 -54 Q 0 -62 5 -54 L 3 -36 L 7 -24 L -7 -24 L -3 -36 Z')
  },
}

export const butterfly: Art = {
  ...TRAITS.butterfly,
  paint(pen, inks, phase) {
    const open = 0.35 + 0.65 * Math.abs(Math.cos(phase * Math.PI))
    const wing = mix(inks.accent, inks.paper, 0.2)
    for (const side of [-1, 1]) {
      const x = side * open
      cut(
        pen,
        inks.accent,
        `M 0 -54 C ${10 * x} -92 ${48 * x} -98 ${50 * x} -76 C ${50 * x} -60 ${24 * x} -50 0 -48 Z`,
      )
      cut(
        pen,
        wing,
        `M 0 -48 C ${24 * x} -50 ${40 * x} -36 ${34 * x} -20 C ${26 * x} -8 ${8 * x} -26 0 -42 Z`,
      )
      round(pen, inks.paper, [32 * x, -76, 5 * open, 5])
    }
    line(pen, { ink: inks.dark, thick: 4.4 }, 'M 0 -64 L 0 -26')
    line(pen, { ink: inks.dark, thick: 1.4 }, 'M 0 -64 Q -4 -76 -10 -80 M 0 -64 Q 4 -76 10 -80')
  },
}

export const balloon: Art = {
  ...TRAITS.balloon,
  paint(pen, inks) {
    const stripes = [
      inks.accent,
      inks.paper,
      mix(inks.accent, inks.dark, 0.35),
      inks.paper,
      inks.accent,
    ]
    const edges = [-44, -27, -9, 9, 27, 44]
    stripes.forEach((ink, index) => {
      const [left = -44, right = 44] = edges.slice(index, index + 2)
      const [l, r] = [left * 0.2, right * 0.2]
      cut(
        pen,
        ink,
        `M 0 -110 C ${left * 0.6} -110 ${left} -92 ${left} -70 C ${left} -48 ${l * 1.6} -34 ${l} -24 L ${r} -24 C ${r * 1.6} -34 ${right} -48 ${right} -70 C ${right} -92 ${right * 0.6} -110 0 -110 Z`,
      )
    })
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.2),
      'M -44 -74 Q 0 -58 44 -74 L 44 -66 Q 0 -50 -44 -66 Z',
    )
    line(pen, { ink: inks.dark, thick: 1.3 }, 'M -8 -24 L -7 -12 M 8 -24 L 7 -12 M 0 -24 L 0 -12')
    cut(pen, mix(inks.dark, inks.accent, 0.4), 'M -9 -13 L 9 -13 L 7 2 L -7 2 Z')
    cut(pen, inks.lamp, 'M -2 -20 Q 0 -28 2 -20 Z')
  },
}

export const kite: Art = {
  ...TRAITS.kite,
  paint(pen, inks) {
    line(pen, { ink: inks.shade, thick: 1.2 }, 'M 0 -10 C -8 30 -40 60 -56 108')
    line(pen, { ink: inks.accent, thick: 2.4 }, 'M 0 -8 C 14 6 4 20 16 34 C 26 46 14 56 24 68')
    for (const [x, y] of [
      [9, 12],
      [14, 32],
      [21, 52],
    ] as const) {
      cut(pen, inks.accent, `M ${x} ${y} L ${x - 9} ${y - 6} L ${x - 9} ${y + 6} Z`)
      cut(pen, inks.paper, `M ${x} ${y} L ${x + 9} ${y - 6} L ${x + 9} ${y + 6} Z`)
    }
    cut(pen, inks.accent, 'M 0 -104 L 38 -66 L 0 -8 Z')
    cut(pen, inks.paper, 'M 0 -104 L -38 -66 L 0 -8 Z')
    cut(pen, mix(inks.accent, inks.dark, 0.3), 'M 0 -66 L 38 -66 L 0 -8 Z')
    cut(pen, inks.shade, 'M 0 -66 L -38 -66 L 0 -8 Z')
  },
}

export const lantern: Art = {
  ...TRAITS.lantern,
  paint(pen, inks) {
    const warm = mix(inks.lamp, '#ff9b45', 0.5)
    cut(
      pen,
      warm,
      'M -22 -92 Q 0 -106 22 -92 C 32 -66 30 -34 20 -4 L -20 -4 C -30 -34 -32 -66 -22 -92 Z',
    )
    cut(
      pen,
      mix(inks.lamp, '#fff3cf', 0.6),
      'M -14 -60 C -8 -76 8 -76 14 -60 C 18 -40 14 -18 10 -5 L -10 -5 C -14 -18 -18 -40 -14 -60 Z',
    )
    line(
      pen,
      { ink: mix(warm, inks.dark, 0.35), thick: 1.3 },
      'M -9 -98 C -14 -66 -12 -34 -8 -5 M 9 -98 C 14 -66 12 -34 8 -5',
    )
    line(pen, { ink: mix(warm, inks.dark, 0.5), thick: 3 }, 'M -20 -4 L 20 -4')
  },
}

export const planet: Art = {
  ...TRAITS.planet,
  paint(pen, inks) {
    pen.translate(0, -50)
    pen.rotate(-0.3)
    line(pen, { ink: inks.shade, thick: 5 }, 'M -82 0 C -60 -26 60 -26 82 0')
    round(pen, inks.accent, [0, 0, 44])
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.35),
      'M 18 -40 C 52 -20 52 24 16 41 C 40 16 38 -16 18 -40 Z',
    )
    cut(pen, mix(inks.accent, inks.paper, 0.35), 'M -42 -12 Q 0 2 42 -14 L 44 -4 Q 0 12 -44 -2 Z')
    line(pen, { ink: inks.paper, thick: 6 }, 'M -82 0 C -60 26 60 26 82 0')
  },
}
