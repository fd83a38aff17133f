import { mix } from '../colour'
import { cut, line, round, type Art } from './art'
import { TRAITS } from './traits'

export const astronaut: Art = {
  ...TRAITS.astronaut,
  paint(pen, inks, phase) {
    const step = Math.sin(phase * Math.PI * 2) * 5
    const seam = mix(inks.shade, inks.dark, 0.35)
    line(pen, { ink: inks.shade, thick: 13 }, `M -9 -38 L ${-10 - step * 0.5} -7`)
    line(pen, { ink: inks.paper, thick: 13 }, `M 9 -38 L ${10 + step * 0.5} -7`)
    line(pen, { ink: seam, thick: 7 }, `M ${-14 - step * 0.5} 0 L ${-6 - step * 0.5} 0`)
    line(pen, { ink: seam, thick: 7 }, `M ${6 + step * 0.5} 0 L ${14 + step * 0.5} 0`)
    cut(pen, seam, 'M -24 -78 L 24 -78 L 24 -44 L -24 -44 Z')
    line(pen, { ink: inks.shade, thick: 11 }, `M -20 -68 L -28 ${-46 + step} L -24 ${-34 + step}`)
    line(pen, { ink: inks.paper, thick: 11 }, `M 20 -68 L 28 ${-46 - step} L 24 ${-34 - step}`)
    cut(pen, inks.shade, 'M -19 -76 C -22 -60 -20 -44 -17 -34 L 17 -34 C 20 -44 22 -60 19 -76 Z')
    cut(pen, inks.paper, 'M 2 -76 L 19 -76 C 22 -60 20 -44 17 -34 L 2 -34 Z')
    line(pen, { ink: inks.accent, thick: 3 }, 'M -18 -44 L 18 -44')
    cut(pen, inks.accent, 'M -8 -66 L 8 -66 L 8 -56 L -8 -56 Z')
    round(pen, inks.paper, [0, -91, 19])
    cut(pen, inks.dark, 'M -14 -92 C -14 -104 14 -104 14 -92 C 14 -80 -14 -80 -14 -92 Z')
    cut(
      pen,
      mix(inks.accent, inks.dark, 0.45),
      'M -11 -94 C -9 -101 2 -102 6 -100 C 0 -98 -6 -96 -8 -88 Z',
    )
  },
}
