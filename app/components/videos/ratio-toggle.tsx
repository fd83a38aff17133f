import type { AspectRatio } from '~/domain/videos/types'

const CHOICES = [
  { value: 'portrait', label: 'Portrait 9:16', frame: 'h-5 w-3' },
  { value: 'landscape', label: 'Landscape 16:9', frame: 'h-3 w-5' },
] as const satisfies readonly { value: AspectRatio; label: string; frame: string }[]

/** Two radio buttons that look like a switch. */
export function RatioToggle({ defaultValue }: { defaultValue: AspectRatio }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Aspect Ratio</legend>
      <div className="grid grid-cols-2 gap-2 tiny:grid-cols-1 sm:max-w-sm">
        {CHOICES.map(({ value, label, frame }) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded border border-edge px-2 text-sm sm:px-3 has-[:checked]:border-accent has-[:checked]:bg-sunken has-[:checked]:font-medium has-[:focus-visible]:outline has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
          >
            <input
              type="radio"
              name="aspectRatio"
              value={value}
              defaultChecked={value === defaultValue}
            />
            <span
              aria-hidden
              className={`shrink-0 rounded-sm border-2 border-current max-xs:hidden ${frame}`}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
