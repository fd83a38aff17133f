/** Colours are `#rrggbb` strings. They are mixed in OKLab, where blends do not turn grey. */

type Lab = readonly [lightness: number, a: number, b: number]

function toLinear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function toChannel(linear: number): number {
  const clipped = Math.min(1, Math.max(0, linear))
  const value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055
  return Math.round(value * 255)
}

function channels(colour: string): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

// Matrices: https://bottosson.github.io/posts/oklab/
function toLab(colour: string): Lab {
  const [red, green, blue] = channels(colour)
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function fromLab([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const rgb = [
    toChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toChannel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Mixes two colours. A `share` of 0 returns `from`, 1 returns `to`. */
export function mix(from: string, to: string, share: number): string {
  const [l1, a1, b1] = toLab(from)
  const [l2, a2, b2] = toLab(to)
  const part = Math.min(1, Math.max(0, share))
  return fromLab([l1 + (l2 - l1) * part, a1 + (a2 - a1) * part, b1 + (b2 - b1) * part])
}

/** Changes lightness by `lighter` (about -1..1) and multiplies colourfulness by `chroma`. */
export function adjust(colour: string, change: { lighter?: number; chroma?: number }): string {
  const [lightness, a, b] = toLab(colour)
  const chroma = change.chroma ?? 1
  const lifted = Math.min(1, Math.max(0, lightness + (change.lighter ?? 0)))
  return fromLab([lifted, a * chroma, b * chroma])
}

/** Returns the colour with the lightness of `like`, so that tints keep the planes apart. */
export function withLightnessOf(colour: string, like: string): string {
  const [, a, b] = toLab(colour)
  return fromLab([toLab(like)[0], a, b])
}

/** Returns a CSS colour with an opacity of 0..1. */
export function fade(colour: string, opacity: number): string {
  const [red, green, blue] = channels(colour)
  return `rgba(${red}, ${green}, ${blue}, ${opacity.toFixed(4)})`
}

/** Returns the perceived lightness, 0..1. */
export function lightnessOf(colour: string): number {
  return toLab(colour)[0]
}
