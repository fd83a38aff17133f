import { mix } from '../colour'
import { cut, line, round, type Art } from './art'
import { TRAITS } from './traits'

export const house: Art = {
  ...TRAITS.house,
  paint(pen, inks) {
    cut(pen, inks.dark, 'M 26 -112 L 42 -112 L 42 -70 L 26 -70 Z')
    cut(pen, inks.body, 'M -46 -62 L 46 -62 L 46 4 L -46 4 Z')
    cut(pen, mix(inks.body, inks.dark, 0.45), 'M 18 -62 L 46 -62 L 46 4 L 18 4 Z')
    cut(pen, inks.accent, 'M -62 -54 L -34 -100 L 34 -100 L 62 -54 Z')
    cut(pen, mix(inks.accent, inks.dark, 0.35), 'M 16 -54 L 34 -100 L 62 -54 Z')
    for (const x of [-36, -8]) {
      cut(pen, inks.lamp, `M ${x} -44 L ${x + 19} -44 L ${x + 19} -22 L ${x} -22 Z`)
      line(
        pen,
        { ink: inks.dark, thick: 1.8 },
        `M ${x + 9.5} -44 L ${x + 9.5} -22 M ${x} -33 L ${x + 19} -33`,
      )
    }
    cut(pen, inks.dark, 'M 24 4 L 24 -32 L 40 -32 L 40 4 Z')
  },
}

export const castle: Art = {
  ...TRAITS.castle,
  paint(pen, inks) {
    for (const [x, wide, tall] of [
      [-50, 24, 84],
      [-8, 26, 108],
      [36, 22, 92],
      [-72, 18, 56],
      [60, 18, 62],
    ] as const) {
      const right = x + wide
      cut(pen, inks.body, `M ${x} 6 L ${x} ${-tall} L ${right} ${-tall} L ${right} 6 Z`)
      cut(
        pen,
        mix(inks.body, inks.dark, 0.4),
        `M ${x + wide * 0.6} 6 L ${x + wide * 0.6} ${-tall} L ${right} ${-tall} L ${right} 6 Z`,
      )
      cut(
        pen,
        inks.accent,
        `M ${x - 4} ${-tall} L ${x + wide / 2} ${-tall - wide * 1.15} L ${right + 4} ${-tall} Z`,
      )
      cut(
        pen,
        mix(inks.accent, inks.dark, 0.35),
        `M ${x + wide * 0.55} ${-tall} L ${x + wide / 2} ${-tall - wide * 1.15} L ${right + 4} ${-tall} Z`,
      )
      for (const share of [0.35, 0.7])
        round(pen, inks.lamp, [x + wide / 2, -tall * share - 4, 2.6, 4.4])
    }
    cut(
      pen,
      mix(inks.body, inks.dark, 0.2),
      'M -62 8 L -62 -36 L -52 -36 L -52 -42 L -42 -42 L -42 -36 L -30 -36 L -30 -42 L -18 -42 L -18 -36 L -6 -36 L -6 -42 L 8 -42 L 8 -36 L 20 -36 L 20 -42 L 32 -42 L 32 -36 L 46 -36 L 46 -42 L 56 -42 L 56 -36 L 66 -36 L 66 8 Z',
    )
    cut(pen, inks.dark, 'M -10 8 L -10 -12 C -10 -24 12 -24 12 -12 L 12 8 Z')
  },
}

export const lighthouse: Art = {
  ...TRAITS.lighthouse,
  paint(pen, inks) {
    cut(
      pen,
      inks.dark,
      'M -46 8 C -42 -2 -34 -3 -30 -8 C -24 -13 -18 -10 -14 -12 L 16 -12 C 22 -12 26 -7 32 -5 C 38 -3 42 0 46 8 Q 0 15 -46 8 Z',
    )
    cut(pen, inks.paper, 'M -14 -8 L -9 -86 L 9 -86 L 14 -8 Z')
    for (const [low, high] of [
      [0.1, 0.3],
      [0.5, 0.7],
    ] as const) {
      const half = (part: number): number => 14 - 5 * part
      const at = (part: number): number => -8 - 78 * part
      cut(
        pen,
        inks.accent,
        `M ${-half(low)} ${at(low)} L ${-half(high)} ${at(high)} L ${half(high)} ${at(high)} L ${half(low)} ${at(low)} Z`,
      )
    }
    cut(pen, mix(inks.dark, inks.accent, 0.25), 'M 4 -8 L 3 -86 L 9 -86 L 14 -8 Z')
    cut(pen, inks.dark, 'M -13 -90 L 13 -90 L 13 -85 L -13 -85 Z')
    cut(pen, inks.lamp, 'M -7 -103 L 7 -103 L 7 -90 L -7 -90 Z')
    cut(pen, inks.accent, 'M -10 -102 Q 0 -117 10 -102 Z')
    line(pen, { ink: inks.dark, thick: 1.4 }, 'M 0 -110 L 0 -117')
  },
}

export const windmill: Art = {
  ...TRAITS.windmill,
  paint(pen, inks, phase) {
    cut(pen, inks.shade, 'M -20 4 L -12 -72 L 12 -72 L 20 4 Z')
    cut(pen, inks.paper, 'M -20 4 L -12 -72 L 0 -72 L -2 4 Z')
    cut(pen, inks.accent, 'M -15 -70 Q 0 -98 15 -70 Z')
    cut(pen, inks.dark, 'M -5 4 L -5 -18 Q 0 -24 5 -18 L 5 4 Z')
    pen.translate(0, -74)
    pen.rotate((phase * Math.PI) / 2 + 0.3)
    for (let sail = 0; sail < 4; sail += 1) {
      line(pen, { ink: inks.dark, thick: 2.4 }, 'M 0 0 L 0 -60')
      cut(pen, mix(inks.paper, inks.shade, 0.3), 'M 2 -12 L 15 -14 L 15 -59 L 2 -59 Z')
      line(
        pen,
        { ink: mix(inks.dark, inks.shade, 0.4), thick: 1 },
        'M 8 -13 L 8 -59 M 2 -24 L 15 -24 M 2 -36 L 15 -36 M 2 -48 L 15 -48',
      )
      pen.rotate(Math.PI / 2)
    }
    round(pen, inks.accent, [0, 0, 4.5])
  },
}

export const tent: Art = {
  ...TRAITS.tent,
  paint(pen, inks) {
    cut(pen, mix(inks.accent, inks.dark, 0.3), 'M 0 -72 L 64 4 L 6 4 Z')
    cut(pen, inks.accent, 'M 0 -72 L -58 4 L 22 4 Z')
    cut(pen, inks.lamp, 'M -2 -54 L -26 4 L 14 4 Z')
    cut(pen, mix(inks.accent, inks.dark, 0.15), 'M -2 -54 L -26 4 L -36 4 Z')
    line(pen, { ink: inks.dark, thick: 1.4 }, 'M 0 -72 L -68 5 M 0 -72 L 68 5')
    line(pen, { ink: inks.dark, thick: 2.2 }, 'M -3 -76 L 2 -66')
  },
}

export const fire: Art = {
  ...TRAITS.fire,
  paint(pen, inks, phase) {
    const turn = phase * Math.PI * 2
    const lick = (shift: number): number => Math.sin(turn + shift)
    line(pen, { ink: inks.dark, thick: 9 }, 'M -34 4 L 26 -8 M 34 4 L -26 -8')
    const flame = (half: number, tall: number, sway: number): string =>
      `M ${-half} -6 C ${-half * 1.3} ${-tall * 0.4} ${-half * 0.3 + sway} ${-tall * 0.55} ${sway * 1.4} ${-tall} C ${half * 0.5 + sway} ${-tall * 0.6} ${half * 1.3} ${-tall * 0.4} ${half} -6 Z`
    cut(pen, '#e8502e', flame(26, 92 + lick(0) * 10, lick(0.6) * 9))
    cut(pen, '#f7923a', flame(20, 70 + lick(1.4) * 9, lick(2) * 8))
    cut(pen, '#ffd05a', flame(13, 48 + lick(2.4) * 7, lick(3.1) * 6))
    cut(pen, '#fff3c4', flame(7, 28 + lick(3.6) * 5, lick(4) * 4))
  },
}
