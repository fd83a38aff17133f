import { mix } from '../colour'
import type { Runner } from '../facts'
import type { Pen } from '../stage'
import { cut, line, round, type Art, type Inks } from './art'
import { coatOf, paintDeer, paintGallop, paintHorse, type Coat } from './beings'
import { TRAITS } from './traits'

/** What running adds to the traits of an animal. */
const RUN = { move: 'drive', phases: 8, tempo: 1.9 } as const

/** A slim animal in side view without head and tail. It stands if `phase` is null. */
function paintSlimBody(pen: Pen, coat: Coat, phase: number | null): void {
  paintGallop(pen, coat, { phase, hips: [-30, 24], tall: 34, thick: 5.4 })
  cut(
    pen,
    coat.ink,
    'M -40 -42 C -32 -53 -8 -52 12 -50 C 24 -52 28 -56 34 -60 L 42 -46 C 38 -34 28 -27 16 -27 C 0 -32 -16 -33 -28 -26 C -40 -26 -46 -34 -40 -42 Z',
  )
}

function paintFox(pen: Pen, inks: Inks, phase: number | null): void {
  const ink = inks.own ?? mix('#d0622c', inks.hide, 0.3)
  const coat = { ink, dark: mix(ink, inks.dark, 0.65) }
  const sway = phase === null ? 5 : Math.sin(phase * Math.PI * 2) * 5
  cut(
    pen,
    coat.ink,
    `M -36 -42 C -50 -54 -64 -52 -80 ${-42 + sway} C -68 ${-26 + sway} -50 -26 -36 -32 Z`,
  )
  cut(
    pen,
    inks.paper,
    `M -66 ${-49 + sway * 0.7} Q -76 ${-48 + sway} -84 ${-40 + sway} Q -74 ${-32 + sway} -66 ${-33 + sway * 0.7} Z`,
  )
  paintSlimBody(pen, coat, phase)
  cut(pen, inks.paper, 'M 34 -44 C 40 -44 42 -36 32 -30 C 28 -34 28 -40 34 -44 Z')
  cut(pen, coat.dark, 'M 34 -62 L 34 -82 L 45 -68 Z')
  cut(
    pen,
    coat.ink,
    'M 30 -56 C 32 -66 42 -72 50 -65 L 69 -53 C 68 -49 64 -48 59 -48 C 52 -44 38 -42 32 -48 Z M 38 -64 L 42 -81 L 50 -65 Z',
  )
  cut(pen, inks.paper, 'M 44 -51 L 68 -52 C 66 -48 60 -47 54 -46 C 50 -44 46 -44 42 -45 Z')
  round(pen, inks.dark, [68, -52.5, 2.6])
  round(pen, inks.dark, [49, -59, 1.9])
}

export const fox: Art = { ...TRAITS.fox, paint: (pen, inks) => paintFox(pen, inks, null) }

function paintRunningDog(pen: Pen, inks: Inks, phase: number): void {
  const coat = coatOf(inks)
  const wag = Math.sin(phase * Math.PI * 2) * 6
  line(pen, { ink: coat.ink, thick: 6 }, `M -36 -42 Q -52 -48 -60 ${-62 + wag}`)
  paintSlimBody(pen, coat, phase)
  cut(
    pen,
    coat.ink,
    'M 28 -58 C 28 -70 40 -76 50 -70 C 54 -68 56 -64 57 -62 L 67 -58 C 69 -52 65 -49 58 -49 C 50 -45 36 -44 30 -50 Z',
  )
  cut(pen, coat.dark, `M 36 -70 C 26 -72 ${22 - wag} -62 ${25 - wag} -50 C 34 -52 38 -60 42 -68 Z`)
  cut(pen, inks.accent, 'M 28 -55 Q 34 -46 42 -45 L 40 -40 Q 30 -42 25 -50 Z')
  round(pen, inks.dark, [67, -57, 2.8])
  round(pen, inks.dark, [48, -62, 2])
}

function paintRunningCat(pen: Pen, inks: Inks, phase: number): void {
  const ink = inks.own ?? inks.dark
  const coat = { ink, dark: mix(ink, inks.accent, 0.18) }
  const sway = Math.sin(phase * Math.PI * 2) * 7
  line(pen, { ink: coat.ink, thick: 6 }, `M -36 -40 C -54 -40 -52 -60 -70 ${-64 + sway}`)
  paintSlimBody(pen, coat, phase)
  cut(
    pen,
    coat.ink,
    'M 28 -56 C 28 -60 30 -66 32 -80 L 41 -71 Q 45 -72 49 -71 L 57 -79 C 59 -66 60 -60 58 -54 C 54 -46 34 -44 28 -56 Z',
  )
  line(pen, { ink: mix(inks.dark, inks.accent, 0.7), thick: 4 }, 'M 30 -50 Q 34 -44 42 -44')
}

/** The animals that can run, as they run. */
export const RUNNING: Readonly<Record<Runner, Art>> = {
  fox: { ...TRAITS.fox, ...RUN, paint: paintFox },
  dog: { ...TRAITS.dog, ...RUN, box: [-72, -84, 72, 6], paint: paintRunningDog },
  cat: { ...TRAITS.cat, ...RUN, box: [-80, -84, 64, 6], paint: paintRunningCat },
  horse: {
    ...TRAITS.horse,
    ...RUN,
    paint: (pen, inks, phase) => paintHorse(pen, inks, { swish: phase, phase }),
  },
  deer: { ...TRAITS.deer, ...RUN, paint: paintDeer },
}
