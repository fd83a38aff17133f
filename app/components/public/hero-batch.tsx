import { SAMPLES } from '~/lib/samples'
import { Icon } from '../ui/icon'

const DONE = 4

/** A picture of a running batch as the create screen shows it. Decorative. */
export function HeroBatch() {
  return (
    <div
      aria-hidden
      className="hidden rounded-lg border border-line bg-surface p-5 text-sm lg:block lg:w-96"
    >
      <div className="flex items-baseline justify-between">
        <p className="font-semibold">Processing Bulk Generation...</p>
        <p className="tabular-nums text-soft">{DONE}/8</p>
      </div>
      <div className="mt-3 h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full w-1/2 rounded-full bg-accent" />
      </div>
      <div className="mt-4 divide-y divide-line">
        {SAMPLES.slice(0, 6).map(({ prompt, imagePath }, index) => (
          <p key={imagePath} className="flex items-center gap-2.5 py-1.5 text-soft">
            {index < DONE ? (
              <Icon name="circle-check" className="size-4 shrink-0 text-good" />
            ) : (
              <Icon name="loader-circle" className="size-4 shrink-0 text-accent" />
            )}
            <span className="truncate">{prompt}</span>
          </p>
        ))}
      </div>
    </div>
  )
}
