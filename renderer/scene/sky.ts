import { adjust, fade, lightnessOf, mix } from './colour'
import { addGrain, downward, lightPlane, makeGlow, trim } from './paper'
import { between, randomFrom, wholeBetween } from './random'
import { MARGIN, type Moment, type Pen, type Plane, type Stage } from './stage'

/** Returns the planes of the sky: light, sun or moon, stars, clouds. */
export function paintSky(stage: Stage): readonly Plane[] {
  const planes = [backdrop(stage), sunlight(stage)]
  if (hasStars(stage)) planes.splice(1, 0, twinkle(stage))
  if (cloudsOf(stage) > 0) planes.push(cloudPlane(stage, 0), cloudPlane(stage, 1))
  return planes
}

/** Returns whether stars are visible: at night, if the sky is not overcast. */
function hasStars({ scene }: Stage): boolean {
  return scene.time === 'night' && (scene.weather === 'clear' || scene.weather === 'snow')
}

/** The share of sunlight that passes the weather. */
const DAYLIGHT = { clear: 1, snow: 0.9, cloudy: 0.6, fog: 0.5, rain: 0.45, storm: 0.16 } as const

function backdrop(stage: Stage): Plane {
  const { width, height, palette, sun } = stage
  const canvas = stage.makeCanvas(width, height)
  const pen = canvas.getContext('2d')
  const [top, middle, low] = palette.sky
  const floor = Math.max(stage.horizon, height * 0.5)
  pen.fillStyle = downward(pen, [0, floor], [top, mix(top, middle, 0.6), middle, low])
  pen.fillRect(0, 0, width, height)
  const reach = Math.max(width, height) * 0.75
  const light = pen.createRadialGradient(sun.x, sun.y, 0, sun.x, sun.y, reach)
  const strength = DAYLIGHT[stage.scene.weather]
  light.addColorStop(0, fade(palette.light, 0.55 * strength))
  light.addColorStop(0.22, fade(palette.light, 0.24 * strength))
  light.addColorStop(0.6, fade(palette.light, 0.06 * strength))
  light.addColorStop(1, fade(palette.light, 0))
  pen.fillStyle = light
  pen.fillRect(0, 0, width, height)
  if (hasStars(stage)) sowStars(stage, pen)
  addGrain(stage, canvas, 0.035)
  return {
    depth: 0,
    draw(target) {
      target.drawImage(canvas, 0, 0)
    },
  }
}

function sowStars(stage: Stage, pen: Pen): void {
  const random = randomFrom(stage.scene.seed + 3)
  for (let star = 0; star < 260; star += 1) {
    const y = stage.horizon * random() ** 1.3
    const size = 0.5 + 1.3 * random() ** 3
    pen.fillStyle = fade('#fff6e2', between(random, 0.2, 0.85) * (1 - (y / stage.horizon) * 0.7))
    pen.beginPath()
    pen.arc(random() * stage.width, y, size, 0, Math.PI * 2)
    pen.fill()
  }
}

/** A few larger stars that twinkle. */
function twinkle(stage: Stage): Plane {
  const random = randomFrom(stage.scene.seed + 5)
  const glow = makeGlow(stage, '#fff3d8', 12)
  const stars = Array.from({ length: 16 }, () => ({
    x: random() * stage.width,
    y: random() * stage.horizon * 0.75,
    size: between(random, 7, 20),
    phase: random() * 6,
    speed: between(random, 0.7, 1.9),
  }))
  return lightPlane(0, (pen, moment) => {
    for (const star of stars) {
      pen.globalAlpha = 0.5 + 0.4 * Math.sin(star.phase + moment.seconds * star.speed)
      pen.drawImage(glow, star.x - star.size / 2, star.y - star.size / 2, star.size, star.size)
    }
  })
}

/** Sun or moon with paper haloes. Under an overcast sky only the glow is visible. */
function sunlight(stage: Stage): Plane {
  const { sun, palette, scene } = stage
  const glow = makeGlow(stage, palette.light, Math.round(sun.radius * 3.2))
  const shown = scene.weather === 'clear' || scene.weather === 'cloudy' || scene.weather === 'snow'
  const reach = Math.ceil(sun.radius * 2.1)
  const canvas = stage.makeCanvas(reach * 2, reach * 2)
  const pen = canvas.getContext('2d')
  pen.translate(reach, reach)
  if (shown) paintDisc(stage, pen)
  return {
    depth: 0.03,
    draw(target, { seconds }) {
      const breath = 1 + 0.03 * Math.sin(seconds * 0.9)
      const size = glow.width * breath
      target.globalCompositeOperation = 'lighter'
      target.globalAlpha = shown ? 0.75 : 0.7 * DAYLIGHT[scene.weather]
      target.drawImage(glow, sun.x - size / 2, sun.y - size / 2, size, size)
      target.globalAlpha = 1
      target.globalCompositeOperation = 'source-over'
      if (shown) target.drawImage(canvas, sun.x - reach, sun.y - reach)
    },
  }
}

function paintDisc(stage: Stage, pen: Pen): void {
  const { radius } = stage.sun
  for (const [ring, opacity] of [
    [2, 0.07],
    [1.62, 0.1],
    [1.28, 0.15],
  ] as const) {
    pen.fillStyle = fade(stage.palette.light, opacity)
    disc(pen, radius * ring)
  }
  pen.fillStyle = downward(
    pen,
    [-radius, radius],
    [
      adjust(stage.palette.light, { lighter: 0.03 }),
      mix(stage.palette.light, stage.palette.sky[2], stage.scene.time === 'night' ? 0.12 : 0.3),
    ],
  )
  disc(pen, radius)
  if (stage.scene.time === 'night') paintCraters(stage, pen)
}

function paintCraters(stage: Stage, pen: Pen): void {
  const { radius } = stage.sun
  pen.fillStyle = fade(stage.palette.sky[1], 0.14)
  for (const [x, y, size] of [
    [-0.3, -0.25, 0.24],
    [0.28, 0.1, 0.3],
    [-0.15, 0.45, 0.16],
    [0.4, -0.42, 0.12],
  ] as const) {
    pen.beginPath()
    pen.arc(x * radius, y * radius, size * radius, 0, Math.PI * 2)
    pen.fill()
  }
}

function disc(pen: Pen, radius: number): void {
  pen.beginPath()
  pen.arc(0, 0, radius, 0, Math.PI * 2)
  pen.fill()
}

function cloudsOf({ scene }: Stage): number {
  if (scene.weather === 'storm' || scene.weather === 'rain') return 9
  if (scene.weather === 'cloudy') return 8
  if (scene.weather === 'fog') return 0
  return scene.time === 'night' ? 2 : 4
}

/** Clouds with flat feet, bright above and fading below; the second plane is nearer and larger. */
function cloudPlane(stage: Stage, order: 0 | 1): Plane {
  const { width, palette, scene } = stage
  const random = randomFrom(stage.scene.seed + 31 + order)
  const bottom = Math.ceil(stage.horizon * 0.92)
  const canvas = stage.makeCanvas(width + 2 * MARGIN, bottom)
  const pen = canvas.getContext('2d')
  const heavy = scene.weather === 'storm' || scene.weather === 'rain'
  const dark = heavy || lightnessOf(palette.sky[1]) < 0.45
  const ink = dark
    ? mix(palette.sky[1], palette.sky[2], heavy ? 0.15 : 0.45)
    : mix(palette.light, palette.sky[2], 0.25)
  for (let cloud = 0; cloud < Math.ceil(cloudsOf(stage) / 2); cloud += 1) {
    const size = between(random, 0.75, 1.25) * (order === 0 ? 0.8 : 1.25) * (heavy ? 1.5 : 1)
    const x = random() * canvas.width
    const y = heavy ? between(random, 0.1, 0.55) * bottom : between(random, 0.2, 0.9) * bottom
    paintCloud(pen, {
      x,
      y,
      size,
      ink: fade(ink, dark ? 0.75 : 0.8),
      foot: fade(ink, 0),
      seed: wholeBetween(random, 1, 9999),
    })
  }
  addGrain(stage, canvas, 0.03)
  const clouds = trim(stage, canvas)
  const speed = (order === 0 ? 5 : 9) * (heavy ? 1.8 : 1)
  return {
    depth: 0.05 + order * 0.05,
    draw(target: Pen, { seconds }: Moment) {
      target.drawImage(clouds.canvas, clouds.x - MARGIN - speed * 4 + seconds * speed, clouds.y)
    },
  }
}

type Cloud = { x: number; y: number; size: number; ink: string; foot: string; seed: number }

function paintCloud(pen: Pen, cloud: Cloud): void {
  const random = randomFrom(cloud.seed)
  const puffs = wholeBetween(random, 5, 8)
  const span = cloud.size * between(random, 190, 300)
  const tall = cloud.size * between(random, 42, 66)
  pen.save()
  pen.beginPath()
  pen.rect(cloud.x - span, cloud.y - 3 * tall, span * 2, 3 * tall)
  pen.clip()
  pen.fillStyle = downward(pen, [cloud.y - tall * 1.5, cloud.y], [cloud.ink, cloud.ink, cloud.foot])
  pen.beginPath()
  for (let puff = 0; puff < puffs; puff += 1) {
    const part = (puff + 0.5) / puffs
    const swell = Math.sin(Math.PI * part) ** 0.8 * between(random, 0.75, 1.15)
    const x = cloud.x + (part - 0.5) * span
    pen.moveTo(x, cloud.y)
    pen.ellipse(x, cloud.y, span / puffs, tall * (0.35 + swell), 0, 0, Math.PI * 2)
  }
  pen.fill()
  pen.restore()
}
