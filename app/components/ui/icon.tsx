import type { IconName } from './icon-names'
import sprite from './icons.svg'

type Props = { name: IconName; className?: string }

/**
 * A decorative icon. All icons are in one file, which the browser loads once: neither the scripts nor
 * the pages contain their shapes.
 */
export const Icon = ({ name, className }: Props) => (
  <svg aria-hidden className={className}>
    <use href={`${sprite}#${name}`} />
  </svg>
)
