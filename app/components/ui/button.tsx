import { Link, type LinkProps } from '@remix-run/react'
import type { ButtonHTMLAttributes } from 'react'

const LOOKS = {
  primary: 'bg-accent text-accent-on hover:bg-accent-strong',
  plain: 'border border-line bg-surface text-ink hover:border-edge',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'bg-bad text-bad-on hover:opacity-90',
  /** Leads to a question whose answer is `danger`. */
  warning: 'border border-bad bg-surface text-bad hover:bg-sunken',
} as const

export type ButtonLook = keyof typeof LOOKS

/** The classes of a button, for what looks like one without being one. */
export const buttonClass = (look: ButtonLook, extra = ''): string =>
  ['btn', LOOKS[look], extra].filter(Boolean).join(' ')

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook }

export function Button({
  look = 'primary',
  className = '',
  type = 'submit',
  ...rest
}: ButtonProps) {
  return <button type={type} className={buttonClass(look, className)} {...rest} />
}

export function ButtonLink({
  look = 'primary',
  className = '',
  ...rest
}: LinkProps & { look?: ButtonLook }) {
  return <Link className={buttonClass(look, className)} {...rest} />
}
