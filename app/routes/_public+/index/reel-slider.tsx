import { SAMPLES, webpPath, type Sample } from '~/lib/samples'

/**
 * Copies of the set of samples in the track: twelve on desktops, six below 768 px (specification
 * §2).
 */
const COPIES = 12
const COPIES_ON_PHONES = 6

/**
 * The samples as a film strip that scrolls by itself: one loop in 60 s, 40 s on phones. It pauses
 * under the pointer. For users who prefer reduced motion it does not move, has one copy and is
 * scrolled by hand.
 */
export function ReelSlider() {
  return (
    <section aria-label="Samples" className="reel bg-film py-2 text-film-on">
      <div aria-hidden className="sprockets" />
      {/* Focusable, because with reduced motion it is scrolled by hand. It also pauses while it has
          the focus. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="reel-window overflow-hidden py-2" tabIndex={0} role="group" aria-label="Film">
        <ul className="reel-track flex w-max">
          {Array.from({ length: COPIES }, (_, copy) =>
            SAMPLES.map((sample, index) => (
              <Frame
                key={`${copy}-${sample.imagePath}`}
                sample={sample}
                copy={copy}
                index={index}
              />
            )),
          )}
        </ul>
      </div>
      <div aria-hidden className="sprockets" />
    </section>
  )
}

/** Only the first copy is exposed to screen readers. The other copies repeat the same pictures. */
function Frame({ sample, copy, index }: { sample: Sample; copy: number; index: number }) {
  const { title, imagePath, prompt } = sample
  const isCopy = copy > 0
  return (
    <li
      aria-hidden={isCopy || undefined}
      className={`reel-frame w-36 shrink-0 px-1.5 md:w-48 md:px-2 ${isCopy ? 'reel-copy' : ''} ${copy >= COPIES_ON_PHONES ? 'max-md:hidden' : ''}`}
    >
      <figure>
        <picture>
          <source srcSet={webpPath(sample)} type="image/webp" />
          <img
            src={imagePath}
            alt={isCopy ? '' : prompt}
            width={270}
            height={480}
            loading={isCopy || index > 5 ? 'lazy' : 'eager'}
            decoding="async"
            className="h-auto w-full rounded-sm"
          />
        </picture>
        <figcaption className="flex justify-between gap-2 pt-1.5 text-xs text-film-on/80">
          <span className="truncate">{title}</span>
          <span aria-hidden className="font-mono text-accent-film">
            {index + 1}A
          </span>
        </figcaption>
      </figure>
    </li>
  )
}
