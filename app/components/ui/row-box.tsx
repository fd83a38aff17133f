import type { InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> & {
  'aria-label': string
}

/** The box that chooses a row: as small as a line, with room around it for a finger. */
export const RowBox = (props: Props) => (
  <label className="row-box">
    <input type="checkbox" {...props} />
  </label>
)
