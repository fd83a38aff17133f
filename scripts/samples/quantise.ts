import type { Indexed } from './png'

type Colour = readonly [number, number, number]
type Tally = { colour: Colour; count: number }
type Rgba = { width: number; height: number; data: Uint8ClampedArray }

/** Reduces a picture to at most `count` colours: median cut, then three rounds of k-means. */
export function quantise({ width, height, data }: Rgba, count: number): Indexed {
  const tallies = tally(data)
  let palette = medianCut(tallies, count)
  for (let round = 0; round < 3; round += 1) palette = refined(palette, tallies)
  const nearest = new Map<number, number>()
  const pixels = new Uint8Array(width * height)
  for (let index = 0; index < pixels.length; index += 1) {
    const colour = colourAt(data, index * 4)
    const key = keyOf(colour)
    const known = nearest.get(key) ?? nearestTo(palette, colour)
    nearest.set(key, known)
    pixels[index] = known
  }
  return { width, height, palette, pixels }
}

/** Rounds colours and opacity until a flat drawing, such as a logo, has at most 256 of them. */
export function posterise({ width, height, data }: Rgba): Indexed {
  for (let step = 1; step <= 64; step += 1) {
    const indexed = rounded({ width, height, data }, step)
    if (indexed.palette.length <= 256) return indexed
  }
  throw new Error('too many colours for a flat drawing')
}

function rounded({ width, height, data }: Rgba, step: number): Indexed {
  const numbers = new Map<string, number>()
  const palette: [number, number, number, number][] = []
  const near = (value: number): number => Math.min(255, Math.round(value / step) * step)
  const pixels = new Uint8Array(width * height)
  for (let index = 0; index < pixels.length; index += 1) {
    const opacity = near(data[index * 4 + 3] ?? 0)
    const [red, green, blue] = opacity === 0 ? [0, 0, 0] : colourAt(data, index * 4)
    const colour: [number, number, number, number] = [near(red), near(green), near(blue), opacity]
    const key = colour.join()
    const known = numbers.get(key) ?? palette.push(colour) - 1
    numbers.set(key, known)
    pixels[index] = known
  }
  return { width, height, palette, pixels }
}

function colourAt(data: Uint8ClampedArray, at: number): Colour {
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0]
}

function keyOf([red, green, blue]: Colour): number {
  return (red << 16) | (green << 8) | blue
}

function tally(data: Uint8ClampedArray): readonly Tally[] {
  const counts = new Map<number, Tally>()
  for (let at = 0; at < data.length; at += 4) {
    const colour = colourAt(data, at)
    const seen = counts.get(keyOf(colour))
    if (seen) seen.count += 1
    else counts.set(keyOf(colour), { colour, count: 1 })
  }
  return [...counts.values()]
}

/**
 * Repeatedly halves the box with the largest spread, weighted by its pixels, until there are
 * `count`.
 */
function medianCut(tallies: readonly Tally[], count: number): readonly Colour[] {
  const boxes = [tallies]
  while (boxes.length < count) {
    const scores = boxes.map((box) => spread(box).width * Math.sqrt(total(box)))
    const worst = scores.indexOf(Math.max(...scores))
    const box = boxes[worst]
    if (box === undefined || box.length < 2) break
    const { channel } = spread(box)
    const sorted = [...box].sort((one, other) => one.colour[channel] - other.colour[channel])
    const half = total(box) / 2
    let seen = 0
    const cut = sorted.findIndex((entry) => (seen += entry.count) >= half)
    const at = Math.min(sorted.length - 1, Math.max(1, cut))
    boxes.splice(worst, 1, sorted.slice(0, at), sorted.slice(at))
  }
  return boxes.map(mean)
}

const CHANNELS = [0, 1, 2] as const

function spread(box: readonly Tally[]): { channel: 0 | 1 | 2; width: number } {
  const widths = CHANNELS.map((channel) => {
    let [low, high] = [255, 0]
    for (const { colour } of box) {
      low = Math.min(low, colour[channel])
      high = Math.max(high, colour[channel])
    }
    return { channel, width: high - low }
  })
  return widths.reduce((best, next) => (next.width > best.width ? next : best))
}

function total(box: readonly Tally[]): number {
  return box.reduce((sum, { count }) => sum + count, 0)
}

function mean(box: readonly Tally[]): Colour {
  const sum = [0, 0, 0]
  for (const { colour, count } of box) {
    for (const channel of CHANNELS) sum[channel] = (sum[channel] ?? 0) + colour[channel] * count
  }
  const [red = 0, green = 0, blue = 0] = sum.map((part) => Math.round(part / total(box)))
  return [red, green, blue]
}

function refined(palette: readonly Colour[], tallies: readonly Tally[]): readonly Colour[] {
  const groups: Tally[][] = palette.map(() => [])
  for (const entry of tallies) groups[nearestTo(palette, entry.colour)]?.push(entry)
  return groups.map((group, index) =>
    group.length > 0 ? mean(group) : (palette[index] ?? [0, 0, 0]),
  )
}

function nearestTo(palette: readonly Colour[], [red, green, blue]: Colour): number {
  let best = 0
  let least = Infinity
  palette.forEach(([r, g, b], index) => {
    const far = 2 * (r - red) ** 2 + 4 * (g - green) ** 2 + 3 * (b - blue) ** 2
    if (far >= least) return
    best = index
    least = far
  })
  return best
}
