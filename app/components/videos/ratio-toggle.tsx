import type { AspectRatio } from '~/domain/videos/types'

const CHOICES = [
  { value: 'portrait', name: 'Portrait', ratio: '9:16', frame: 'h-4 w-2.5' },
  { value: 'landscape', name: 'Landscape', ratio: '16:9', frame: 'h-2.5 w-4' },
] as const satisfies readonly { value: AspectRatio; name: string; ratio: string; frame: string }[]

type Props = {
  defaultValue: AspectRatio
  /** Without a visible heading, and on phones with the figures only. */
  isCompact?: boolean
}

/** Two radio buttons that look like a switch. */
export function RatioToggle({ defaultValue, isCompact = false }: Props) {
  return (
    <fieldset className="ratio">
      <legend className={isCompact ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>Aspect Ratio</legend>
      <div
        className={`grid grid-cols-2 ${isCompact ? 'gap-1' : 'gap-2 tiny:grid-cols-1 sm:max-w-sm'}`}
      >
        {CHOICES.map(({ value, name, ratio, frame }) => (
          <label key={value} className={`ratio-choice ${isCompact ? 'max-md:gap-1' : 'sm:px-3'}`}>
            <input
              type="radio"
              name="aspectRatio"
              value={value}
              defaultChecked={value === defaultValue}
            />
            <span
              aria-hidden
              className={`shrink-0 rounded-sm border-2 border-current ${isCompact ? 'max-md:hidden' : 'max-xs:hidden'} ${frame}`}
            />
            <span>
              <span className={isCompact ? 'max-md:sr-only' : undefined}>{name}</span> {ratio}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
