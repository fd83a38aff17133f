/** A sample picture on the landing page, drawn by `scripts/make-samples.mjs`. */
export type Sample = {
  title: string
  /** The public path of a still of 270x480 pixels. */
  imagePath: string
  prompt: string
  /** The seed with which the picture was drawn from the prompt. */
  seed: number
}

export const SAMPLES: readonly Sample[] = [
  {
    title: 'Rain on Lantern Street',
    imagePath: '/slider-images/rain-street.png',
    prompt: 'A girl with a red umbrella on a rainy street at night',
    seed: 2,
  },
  {
    title: 'First light',
    imagePath: '/slider-images/first-light.png',
    prompt: 'Snowy mountains at dawn',
    seed: 4,
  },
  {
    title: 'Paper boat',
    imagePath: '/slider-images/paper-boat.png',
    prompt: 'A paper boat drifts on the sea at sunset, birds in the sky',
    seed: 1,
  },
  {
    title: 'Launch day',
    imagePath: '/slider-images/launch-day.png',
    prompt: 'A rocket lifts off from the desert at dusk',
    seed: 1,
  },
  {
    title: 'Morning balloons',
    imagePath: '/slider-images/morning-balloons.png',
    prompt: 'Joyful hot air balloons over fields in the morning',
    seed: 4,
  },
  {
    title: 'Lanterns over the lake',
    imagePath: '/slider-images/lake-lanterns.png',
    prompt: 'Paper lanterns rise over a mountain lake at night',
    seed: 1,
  },
  {
    title: 'The quiet forest',
    imagePath: '/slider-images/quiet-forest.png',
    prompt: 'A deer in an old forest at dawn',
    seed: 5,
  },
  {
    title: 'Ringed world',
    imagePath: '/slider-images/ringed-world.png',
    prompt: 'An astronaut looks at a ringed planet in space, a rocket passes',
    seed: 3,
  },
]

/** Returns the path of the same picture as WebP, at a fifth of the size. */
export const webpPath = ({ imagePath }: Pick<Sample, 'imagePath'>): string =>
  imagePath.replace(/\.png$/, '.webp')
