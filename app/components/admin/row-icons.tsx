import { CalendarPlus, KeyRound, Pencil, RotateCcw, Trash2 } from 'lucide-react'

const ICONS = {
  edit: Pencil,
  renew: CalendarPlus,
  link: KeyRound,
  reset: RotateCcw,
  delete: Trash2,
} as const

const idOf = (name: string) => `row-${name}`

/**
 * The icons of a table's rows, defined once. Repeated in every row they would outweigh all other
 * content.
 */
export const RowIcons = () => (
  <svg aria-hidden className="hidden">
    {Object.entries(ICONS).map(([name, Icon]) => (
      <symbol key={name} id={idOf(name)} viewBox="0 0 24 24">
        <Icon />
      </symbol>
    ))}
  </svg>
)

/** One of these icons, on a page that renders `RowIcons`. */
export const RowIcon = ({ name }: { name: keyof typeof ICONS }) => (
  <svg aria-hidden className="size-4">
    <use href={`#${idOf(name)}`} />
  </svg>
)
