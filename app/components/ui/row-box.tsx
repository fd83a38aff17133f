import type { InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> & {
  'aria-label': string
}

/** The box that chooses a row: as small as a line, with room around it for a finger. */
export const RowBox = (props: Props) => (
  <label className="-m-3 inline-flex size-11 shrink-0 cursor-pointer items-center justify-center align-middle">
    <input type="checkbox" className="size-5 accent-[rgb(var(--accent))]" {...props} />
  </label>
)
