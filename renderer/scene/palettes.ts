import { adjust, mix, withLightnessOf } from './colour'
import type { Place, Scene, TimeOfDay, Tone, Weather } from './facts'
import { pick, randomFrom } from './random'

/** The inks of one picture: from the sky down, then the light and the warm spot. */
export type Palette = {
  /** Top, middle and horizon of the sky. */
  sky: readonly [string, string, string]
  /** What distance fades into. */
  haze: string
  /** The furthest and the nearest plane; those between are mixed. */
  far: string
  near: string
  /** Sun, moon, and everything they touch. */
  light: string
  /** The main subject, windows, lamps. */
  accent: string
}

type Sheet = readonly [Palette, ...Palette[]]

function inks(
  sky: Palette['sky'],
  planes: readonly [string, string, string],
  warm: [string, string],
): Palette {
  const [haze, far, near] = planes
  const [light, accent] = warm
  return { sky, haze, far, near, light, accent }
}

const SHEETS: Readonly<Record<TimeOfDay, Sheet>> = {
  dawn: [
    inks(
      ['#43609a', '#b792b4', '#ffcba4'],
      ['#f6c9b2', '#a98bb0', '#2a2a4d'],
      ['#fff1d2', '#f2784b'],
    ),
    inks(
      ['#3f7fa8', '#e0b9bd', '#ffd7a0'],
      ['#fbd3b4', '#8f9fbb', '#1d3552'],
      ['#fff4d6', '#ef6f4f'],
    ),
    inks(
      ['#6f6fae', '#e3a3b4', '#ffd9a0'],
      ['#f9c6b4', '#b183a6', '#38264f'],
      ['#fff0c8', '#f4b23f'],
    ),
  ],
  day: [
    inks(
      ['#2f86bd', '#84c3dc', '#f0f1dc'],
      ['#cfe3dc', '#79b0b4', '#1b474d'],
      ['#fffbe6', '#f2693f'],
    ),
    inks(
      ['#3aa0b8', '#a5dbd2', '#fbf0cf'],
      ['#dcebd3', '#83bda8', '#1d4a48'],
      ['#fffce8', '#ee5f4a'],
    ),
    inks(
      ['#4b7fc9', '#a9c9ec', '#fdeed8'],
      ['#dde4e8', '#8fa8c9', '#25365f'],
      ['#fffaf0', '#f5a623'],
    ),
  ],
  dusk: [
    inks(
      ['#2a2352', '#a23c62', '#ff9d55'],
      ['#f3905f', '#8d3f60', '#1b1230'],
      ['#ffe6a6', '#ffc857'],
    ),
    inks(
      ['#16355c', '#c0727a', '#ffbb62'],
      ['#f2ac72', '#7a5c78', '#121c30'],
      ['#ffedb8', '#ff8a4a'],
    ),
    inks(
      ['#33306b', '#c2578a', '#ffb37a'],
      ['#f29d8a', '#8a4a86', '#1d1738'],
      ['#ffe3b4', '#ffd166'],
    ),
  ],
  night: [
    inks(
      ['#080d22', '#18234f', '#40508c'],
      ['#5768a6', '#2f3d74', '#070b1a'],
      ['#f6edd0', '#ffb454'],
    ),
    inks(
      ['#05141f', '#0d3446', '#2f6f78'],
      ['#4a8c8f', '#1c5562', '#040f16'],
      ['#eaf4e4', '#ff9f5c'],
    ),
    inks(
      ['#100b2b', '#2d1b57', '#6a3f8c'],
      ['#7d5aa6', '#40286f', '#0a0719'],
      ['#fbe6dc', '#ff8f6b'],
    ),
  ],
}

const TONE_SHEETS: Partial<Record<Tone, Palette>> = {
  neon: inks(
    ['#0b0626', '#3a1266', '#c02a86'],
    ['#d8468f', '#4a1c7a', '#080416'],
    ['#ffc4ea', '#29e0e6'],
  ),
}

/** Colours of the ground, which tint the planes without changing their lightness. */
const EARTH: Partial<Record<Place, { far: string; near: string; share: number }>> = {
  desert: { far: '#e08a4a', near: '#7a3320', share: 0.8 },
  forest: { far: '#6fa08c', near: '#0f3d2c', share: 0.82 },
  field: { far: '#8fbf5a', near: '#2a5424', share: 0.78 },
  sea: { far: '#5f9fb0', near: '#0c3550', share: 0.45 },
  lake: { far: '#7fa0b8', near: '#143a48', share: 0.3 },
  underwater: { far: '#3f9fae', near: '#052a44', share: 0.7 },
}

/** Returns the inks of a scene, adjusted for hour, ground, weather, mood and tone. */
export function paletteOf(scene: Scene): Palette {
  const sheet = TONE_SHEETS[scene.tone] ?? pick(randomFrom(scene.seed + 17), SHEETS[scene.time])
  const grounded = withEarth(sheet, scene.place)
  const weathered = withWeather(grounded, scene.weather)
  const toned = mapInks(weathered, (ink) => adjust(ink, changeFor(scene)))
  const isGolden = scene.tone === 'golden' || scene.tone === 'autumn'
  const warm = isGolden ? mapInks(toned, (ink) => mix(ink, '#e8963c', 0.14)) : toned
  return scene.accent === null ? warm : { ...warm, accent: scene.accent }
}

function withEarth(palette: Palette, place: Place): Palette {
  const earth = EARTH[place]
  if (earth === undefined) return palette
  const far = mix(palette.far, withLightnessOf(earth.far, palette.far), earth.share)
  const near = mix(palette.near, withLightnessOf(earth.near, palette.near), earth.share)
  return { ...palette, far, near }
}

const OVERCAST: Readonly<Record<Weather, { ink: string; sky: number; planes: number }>> = {
  clear: { ink: '#ffffff', sky: 0, planes: 0 },
  cloudy: { ink: '#aeb7c2', sky: 0.25, planes: 0.08 },
  rain: { ink: '#4d5f73', sky: 0.4, planes: 0.22 },
  storm: { ink: '#2b3347', sky: 0.55, planes: 0.3 },
  snow: { ink: '#cdd9e8', sky: 0.28, planes: 0.2 },
  fog: { ink: '#c3cbd0', sky: 0.4, planes: 0.16 },
}

/** Weather greys the sky at its own lightness, so that night stays night. */
function withWeather(palette: Palette, weather: Weather): Palette {
  const { ink, sky, planes } = OVERCAST[weather]
  const grey = (colour: string, share: number): string =>
    mix(colour, mix(withLightnessOf(ink, colour), ink, 0.25), share)
  const [top, middle, low] = palette.sky
  return {
    ...palette,
    sky: [grey(top, sky), grey(middle, sky), grey(low, sky * 0.8)],
    haze: grey(palette.haze, sky * 0.8),
    far: grey(palette.far, planes),
    near: grey(palette.near, planes * 0.5),
  }
}

function changeFor(scene: Scene): { lighter?: number; chroma?: number } {
  if (scene.tone === 'mono') return { chroma: 0.06 }
  if (scene.tone === 'pastel') return { chroma: 0.72, lighter: 0.08 }
  if (scene.weather === 'storm') return { chroma: 0.9, lighter: -0.05 }
  if (scene.mood === 'joyful') return { chroma: 1.16, lighter: 0.02 }
  if (scene.mood === 'sad') return { chroma: 0.62, lighter: -0.02 }
  if (scene.mood === 'tense') return { chroma: 0.92, lighter: -0.05 }
  return {}
}

function mapInks(palette: Palette, change: (ink: string) => string): Palette {
  const [top, middle, low] = palette.sky
  return {
    sky: [change(top), change(middle), change(low)],
    haze: change(palette.haze),
    far: change(palette.far),
    near: change(palette.near),
    light: palette.light,
    accent: change(palette.accent),
  }
}

/** Returns the ink of a plane. `depth` 0 is the furthest, 1 the nearest. */
export function planeInk(palette: Palette, depth: number): string {
  if (depth < 0.35) return mix(mix(palette.haze, palette.far, 0.45), palette.far, depth / 0.35)
  return mix(palette.far, palette.near, (depth - 0.35) / 0.65)
}
