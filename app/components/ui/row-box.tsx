import type { InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'className'> & {
  'aria-label': string
}

/**
 * The checkbox that selects a row. It is as small as a line of text, with a larger touch target.
 */
export const RowBox = (props: Props) => (
  <label className="row-box">
    <input type="checkbox" {...props} />
  </label>
)
