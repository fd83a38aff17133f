import { mix } from '../colour'
import type { Pen } from '../stage'
import { cut, line, round, type Art, type Inks } from './art'
import { TRAITS } from './traits'

export const boat: Art = {
  ...TRAITS.boat,
  paint(pen, inks) {
    line(pen, { ink: inks.dark, thick: 2.2 }, 'M 0 -8 L 0 -106')
    cut(pen, inks.paper, 'M 3 -104 C 30 -74 44 -44 46 -18 L 3 -14 Z')
    cut(pen, inks.shade, 'M 3 -104 C 12 -74 16 -44 17 -15 L 3 -14 Z')
    cut(pen, inks.accent, 'M -4 -92 C -26 -64 -36 -40 -38 -18 L -4 -14 Z')
    cut(pen, mix(inks.accent, inks.dark, 0.3), 'M -4 -92 C -12 -64 -14 -40 -15 -15 L -4 -14 Z')
    cut(pen, inks.dark, 'M -54 -10 Q 0 -3 56 -10 L 42 12 Q 0 17 -36 12 Z')
    line(pen, { ink: inks.accent, thick: 2.4 }, 'M -52 -7 Q 0 0 54 -7')
    cut(pen, inks.accent, 'M 0 -112 L 16 -107 L 0 -102 Z')
  },
}

export const paperBoat: Art = {
  ...TRAITS.paperBoat,
  paint(pen, inks) {
    cut(pen, inks.shade, 'M -20 -14 L 0 -70 L 0 -8 Z')
    cut(pen, inks.paper, 'M 22 -14 L 0 -70 L 0 -8 Z')
    cut(pen, inks.shade, 'M -62 -28 L 0 -10 L 0 16 L -34 16 Z')
    cut(pen, inks.paper, 'M 62 -28 L 0 -10 L 0 16 L 36 16 Z')
    cut(pen, mix(inks.paper, inks.shade, 0.45), 'M -62 -28 L -20 -14 L 0 -10 L -30 2 Z')
    cut(pen, '#ffffff', 'M 62 -28 L 22 -14 L 0 -10 L 12 -3 Z')
  },
}

export const ship: Art = {
  ...TRAITS.ship,
  paint(pen, inks) {
    for (const [x, tall] of [
      [-56, 86],
      [4, 106],
      [58, 80],
    ] as const) {
      line(pen, { ink: inks.dark, thick: 2.6 }, `M ${x} -8 L ${x} ${-tall}`)
      for (const [from, to, half] of [
        [0.3, 0.62, 25],
        [0.66, 0.94, 19],
      ] as const) {
        const [low, high] = [-tall * from, -tall * to]
        const sail = `M ${x - half} ${low} Q ${x - half + 9} ${(low + high) / 2} ${x - half + 3} ${high} L ${x + half - 3} ${high} Q ${x + half + 9} ${(low + high) / 2} ${x + half} ${low} Z`
        cut(pen, from < 0.5 ? inks.paper : inks.shade, sail)
      }
      cut(pen, inks.accent, `M ${x} ${-tall - 2} L ${x + 16} ${-tall + 3} L ${x} ${-tall + 7} Z`)
    }
    line(pen, { ink: inks.dark, thick: 2.4 }, 'M 84 -16 L 108 -32')
    cut(pen, inks.dark, 'M -96 -30 L -78 -30 L -74 -12 Q 10 -6 90 -18 L 74 14 Q 0 20 -78 13 Z')
    line(pen, { ink: inks.accent, thick: 2 }, 'M -88 -8 Q 8 0 82 -8')
    for (const x of [-62, -40, -18, 4, 26, 48]) round(pen, inks.lamp, [x, 3, 2.4])
  },
}

export const whale: Art = {
  ...TRAITS.whale,
  paint(pen, inks) {
    pen.scale(-1, 1)
    line(pen, { ink: inks.paper, thick: 2.4 }, 'M -34 -46 Q -36 -78 -56 -84')
    line(pen, { ink: inks.paper, thick: 2.4 }, 'M -32 -46 Q -30 -82 -8 -88')
    line(pen, { ink: inks.paper, thick: 2 }, 'M -33 -46 L -33 -92')
    paintWhale(pen, inks)
  },
}

/** Looks to the left on its own grid. */
function paintWhale(pen: Pen, inks: Inks): void {
  cut(
    pen,
    inks.body,
    'M -88 14 C -94 -30 -60 -46 -30 -44 C 16 -42 38 -14 64 -18 C 70 -28 64 -40 54 -52 C 70 -50 78 -42 80 -34 C 86 -42 94 -44 100 -42 C 96 -26 88 -14 80 -8 C 72 8 60 14 50 14 Z',
  )
  cut(
    pen,
    mix(inks.paper, inks.body, 0.35),
    'M -88 14 C -90 0 -86 -8 -80 -12 C -50 2 -12 8 22 14 Z',
  )
  round(pen, inks.dark, [-62, -12, 2.6])
}

function paintTurnedWhale(pen: Pen, inks: Inks): void {
  pen.scale(-1, 1)
  paintWhale(pen, inks)
}

/** Under water a whale swims and does not blow. */
export const divingWhale: Art = { ...whale, size: 190, move: 'swim', paint: paintTurnedWhale }

export const fish: Art = {
  ...TRAITS.fish,
  paint(pen, inks, phase) {
    const flick = Math.sin(phase * Math.PI * 2) * 10
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.22),
      `M -30 -50 L -60 ${-74 + flick} Q -50 ${-50 + flick} -60 ${-28 + flick} Z`,
    )
    cut(pen, mix(inks.accent, inks.paper, 0.3), 'M -12 -66 Q 4 -84 20 -68 Z')
    cut(pen, inks.accent, 'M -36 -50 C -20 -76 30 -80 58 -50 C 30 -24 -20 -26 -36 -50 Z')
    cut(
      pen,
      mix(inks.accent, inks.paper, 0.55),
      'M -22 -44 C 0 -32 30 -32 52 -46 C 30 -26 -10 -26 -22 -44 Z',
    )
    cut(pen, inks.paper, 'M 14 -71 C 8 -58 8 -42 14 -29 L 22 -31 C 17 -44 17 -56 22 -69 Z')
    round(pen, inks.paper, [40, -54, 5])
    round(pen, inks.dark, [41, -54, 2.8])
  },
}
