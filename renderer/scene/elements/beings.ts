import { mix } from '../colour'
import { cut, line, round, type Art, type Inks } from './art'
import type { Pen } from '../stage'
import { TRAITS } from './traits'

export const person: Art = {
  ...TRAITS.person,
  paint(pen, inks, phase) {
    paintWalker(pen, inks, phase)
    cut(
      pen,
      inks.dark,
      'M -9 -92 C -9 -105 9 -105 9 -92 C 9 -84 7 -82 0 -82 C -8 -82 -9 -86 -9 -92 Z',
    )
  },
}

export const umbrella: Art = {
  ...TRAITS.umbrella,
  paint(pen, inks, phase) {
    paintWalker(pen, inks, phase)
    line(pen, { ink: inks.dark, thick: 2.2 }, 'M 12 -58 L 6 -124')
    cut(
      pen,
      inks.accent,
      'M -42 -94 C -36 -122 -12 -128 4 -128 C 22 -128 44 -120 50 -94 Q 40 -100 30 -94 Q 18 -101 4 -94 Q -9 -101 -20 -94 Q -32 -100 -42 -94 Z',
    )
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.3),
      'M -42 -94 C -36 -122 -12 -128 4 -128 C -10 -120 -18 -108 -20 -94 Q -32 -100 -42 -94 Z',
    )
    cut(
      pen,
      mix(inks.accent, inks.paper, 0.22),
      'M 4 -128 C 20 -122 28 -108 30 -94 Q 18 -101 4 -94 Z',
    )
  },
}

/** Somebody seen from behind in a long coat, one step per phase cycle. */
function paintWalker(pen: Pen, inks: Inks, phase: number): void {
  const step = Math.sin(phase * Math.PI * 2) * 7
  line(
    pen,
    { ink: inks.dark, thick: 6.5 },
    `M -4 -40 L ${-4 - step * 0.6} -2 M 4 -40 L ${4 + step * 0.6} -2`,
  )
  round(pen, mix(inks.hide, inks.dark, 0.5), [0, -92, 8, 9])
  cut(
    pen,
    mix(inks.accent, inks.dark, 0.45),
    'M -7 -82 C -18 -78 -19 -60 -21 -28 Q 0 -22 21 -28 C 19 -60 18 -78 7 -82 Q 0 -78 -7 -82 Z',
  )
  cut(
    pen,
    mix(inks.accent, inks.dark, 0.25),
    'M 3 -80 C 15 -78 18 -60 21 -28 Q 13 -25 5 -25 C 8 -46 6 -64 3 -80 Z',
  )
  cut(pen, mix(inks.accent, inks.paper, 0.5), 'M -9 -83 Q 0 -77 9 -83 L 9 -77 Q 0 -71 -9 -77 Z')
}

export const robot: Art = {
  ...TRAITS.robot,
  paint(pen, inks) {
    line(pen, { ink: inks.dark, thick: 9 }, 'M -13 -30 L -14 -2 M 13 -30 L 14 -2')
    line(
      pen,
      { ink: mix(inks.shade, inks.dark, 0.4), thick: 8 },
      'M -25 -56 L -36 -36 L -30 -22 M 25 -56 L 36 -38 L 32 -24',
    )
    cut(pen, inks.shade, 'M -25 -62 L 25 -62 L 21 -24 L -21 -24 Z')
    cut(pen, inks.paper, 'M 4 -62 L 25 -62 L 21 -24 L 4 -24 Z')
    round(pen, inks.accent, [0, -45, 7])
    line(pen, { ink: inks.dark, thick: 2.4 }, 'M 0 -92 L 0 -104')
    round(pen, inks.accent, [0, -106, 4])
    pen.fillStyle = inks.paper
    pen.beginPath()
    pen.roundRect(-24, -94, 48, 30, 9)
    pen.fill()
    pen.fillStyle = inks.dark
    pen.beginPath()
    pen.roundRect(-18, -88, 36, 18, 7)
    pen.fill()
    for (const x of [-8, 8]) round(pen, inks.lamp, [x, -79, 4])
  },
}

export const cat: Art = {
  ...TRAITS.cat,
  paint(pen, inks, phase) {
    const fur = inks.own ?? inks.dark
    const flick = Math.sin(phase * Math.PI * 2) * 9
    line(pen, { ink: fur, thick: 7 }, `M 22 -6 C 44 -4 46 -24 ${36 + flick} -38`)
    cut(
      pen,
      fur,
      'M -28 2 C -32 -28 -22 -44 -14 -54 C -20 -62 -20 -74 -16 -94 L -5 -83 Q 0 -84 5 -83 L 16 -94 C 20 -74 20 -62 14 -54 C 22 -44 32 -28 28 2 Z',
    )
    cut(
      pen,
      mix(fur, inks.accent, 0.35),
      'M 14 -54 C 22 -44 32 -28 28 2 L 18 2 C 22 -24 18 -42 10 -54 Z',
    )
    line(pen, { ink: mix(fur, inks.accent, 0.7), thick: 4 }, 'M -12 -54 Q 0 -48 12 -54')
  },
}

export const dog: Art = {
  ...TRAITS.dog,
  paint(pen, inks, phase) {
    const hide = inks.own ?? inks.hide
    const wag = Math.sin(phase * Math.PI * 2) * 7
    line(pen, { ink: hide, thick: 7 }, `M -22 -8 Q -38 -14 ${-36 + wag} -32`)
    cut(
      pen,
      hide,
      'M -28 2 C -34 -26 -16 -46 -2 -58 L 14 -54 C 20 -36 20 -16 20 2 L 8 2 L 6 -14 L 0 2 Z',
    )
    cut(
      pen,
      hide,
      'M -8 -60 C -12 -80 2 -90 18 -86 C 28 -83 30 -76 32 -72 L 45 -68 C 48 -60 42 -56 32 -56 C 24 -50 6 -46 -8 -60 Z',
    )
    cut(pen, mix(hide, inks.dark, 0.6), 'M -2 -84 C -16 -84 -18 -64 -12 -50 C -4 -54 2 -66 6 -80 Z')
    cut(pen, inks.accent, 'M -8 -58 Q 4 -48 20 -52 L 20 -46 Q 2 -42 -11 -53 Z')
    round(pen, inks.dark, [44, -66, 3.4])
    round(pen, inks.dark, [22, -74, 2.4])
  },
}

export type Coat = { ink: string; dark: string }

/** Returns the coat of an animal: its own colour, or brown. */
export function coatOf({ own, hide, dark }: Inks): Coat {
  const ink = own ?? hide
  return { ink, dark: mix(ink, dark, 0.5) }
}

type Legs = {
  /** The moment of a gallop, 0..1; null stands. */
  phase: number | null
  /** Where the hind and the front legs begin. */
  hips: readonly [number, number]
  tall: number
  thick: number
}

/** The four legs of an animal that looks to the right, those on the far side darker. */
export function paintGallop(pen: Pen, coat: Coat, { phase, hips, tall, thick }: Legs): void {
  const [hind, front] = hips
  for (const [ink, shift, ahead] of [
    [coat.dark, 7, 0.12],
    [coat.ink, 0, 0],
  ] as const) {
    const paths = [
      legPath({ x: hind + shift, tall }, phase === null ? null : phase + ahead),
      legPath({ x: front + shift, tall }, phase === null ? null : phase + ahead + 0.45),
    ]
    line(pen, { ink, thick }, paths.join(' '))
  }
}

/** One leg: it swings, and its knee bends on the way forward. */
function legPath({ x, tall }: { x: number; tall: number }, phase: number | null): string {
  const turn = (phase ?? 0) * Math.PI * 2
  const swing = phase === null ? -0.06 : Math.sin(turn) * 0.85
  const lower = phase === null ? 0.06 : swing - Math.max(0, Math.cos(turn))
  const half = tall / 2
  const [kneeX, kneeY] = [x + Math.sin(swing) * half, Math.cos(swing) * half - tall]
  const [footX, footY] = [kneeX + Math.sin(lower) * half, kneeY + Math.cos(lower) * half]
  return `M ${x} ${-tall} L ${kneeX} ${kneeY} L ${footX} ${footY}`
}

/** An animal with long legs, looking to the right. It stands if `phase` is null. */
function paintGrazer(pen: Pen, { ink, dark }: Coat, phase: number | null): void {
  if (phase === null) {
    line(pen, { ink: dark, thick: 5 }, 'M -26 -44 L -30 -22 L -28 0 M 20 -44 L 24 -22 L 22 0')
    line(pen, { ink, thick: 5.4 }, 'M -34 -46 L -38 -22 L -36 0 M 14 -42 L 13 -20 L 13 0')
  } else {
    paintGallop(pen, { ink, dark }, { phase, hips: [-34, 14], tall: 45, thick: 5.4 })
  }
  cut(
    pen,
    ink,
    'M -42 -58 C -36 -70 6 -70 20 -66 C 26 -76 30 -88 34 -96 L 44 -94 C 44 -84 38 -58 24 -42 C 8 -36 -24 -36 -36 -40 C -44 -44 -44 -52 -42 -58 Z',
  )
  cut(pen, ink, 'M 32 -98 C 38 -106 46 -104 52 -96 L 62 -86 C 62 -80 58 -79 52 -80 L 40 -82 Z')
  cut(pen, ink, 'M 34 -98 L 30 -110 L 40 -102 Z')
  round(pen, dark, [47, -93, 1.8])
}

export const horse: Art = {
  ...TRAITS.horse,
  paint: (pen, inks, swish) => paintHorse(pen, inks, { swish, phase: null }),
}

/** A horse; `swish` is the moment of its tail, 0..1, and `phase` that of its gallop. */
export function paintHorse(
  pen: Pen,
  inks: Inks,
  moment: { swish: number; phase: number | null },
): void {
  const swish = Math.sin(moment.swish * Math.PI * 2) * 5
  const coat = coatOf(inks)
  cut(
    pen,
    coat.dark,
    `M -40 -60 C -56 -56 ${-60 + swish} -34 ${-54 + swish} -16 C -46 -28 -40 -44 -36 -52 Z`,
  )
  paintGrazer(pen, coat, moment.phase)
  cut(
    pen,
    mix(coat.dark, inks.accent, 0.25),
    'M 36 -106 C 22 -98 14 -80 8 -66 C 18 -66 24 -72 27 -80 C 32 -90 36 -98 40 -102 Z',
  )
}

export const deer: Art = {
  ...TRAITS.deer,
  paint: (pen, inks) => paintDeer(pen, inks, null),
}

/** A deer; `phase` is the moment of its gallop, 0..1, or null if it stands. */
export function paintDeer(pen: Pen, inks: Inks, phase: number | null): void {
  paintGrazer(pen, coatOf(inks), phase)
  const antler = { ink: mix(inks.hide, inks.paper, 0.35), thick: 3 }
  line(
    pen,
    antler,
    'M 36 -104 C 26 -116 22 -128 24 -144 M 27 -118 C 20 -120 14 -126 12 -134 M 24 -130 C 30 -134 32 -138 33 -144',
  )
  line(
    pen,
    antler,
    'M 41 -104 C 48 -116 54 -126 52 -142 M 48 -117 C 56 -118 62 -124 65 -132 M 52 -129 C 48 -134 44 -138 43 -144',
  )
  cut(pen, inks.paper, 'M -44 -56 L -40 -64 L -36 -52 Z')
}
