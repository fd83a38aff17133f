import { CheckboxField, lineClass } from '../ui/field-frame'

// Of a link to a clip or a collection: also in the dialog of a gallery, so it brings no library of forms.

const ENDS = [
  ['1', 'after a day'],
  ['7', 'after a week'],
  ['30', 'after 30 days'],
  ['', 'when I end it'],
] as const

const PREVIEWS =
  'Clips from the preview renderer show the prompt in the picture, whether or not this is ticked.'

const SEES = {
  video: 'sees this video without signing in.',
  collection:
    'sees the clips of this collection without signing in, also those that you add later.',
} as const

type FieldsProps = { isOfMany?: boolean; hasPreviews: boolean }

/** How long a new link works, and what it shows. */
export const LinkFields = ({ isOfMany = false, hasPreviews }: FieldsProps) => (
  <>
    <label className="space-y-1 text-sm">
      <span className="block font-medium">The link ends</span>
      <select name="days" defaultValue="7" className={`${lineClass} w-auto`}>
        {ENDS.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <CheckboxField
      name="showsPrompt"
      label={isOfMany ? 'Show the prompts' : 'Show the prompt'}
      hint={hasPreviews ? PREVIEWS : ''}
    />
  </>
)

/** Says before a link is made what it opens. */
export const WhoSees = ({ of }: { of: keyof typeof SEES }) => (
  <p className="text-sm text-soft">
    Whoever has a link {SEES[of]} Search engines are asked to stay away.
  </p>
)
