import { Link, type LinkProps } from '@remix-run/react'
import type { ButtonHTMLAttributes, MouseEvent } from 'react'
import { useHydrated } from './use-hydrated'

const LOOKS = {
  primary: 'bg-accent text-accent-on hover:bg-accent-strong',
  plain: 'border border-line bg-surface text-ink hover:border-edge',
  quiet: 'text-ink hover:bg-sunken',
  danger: 'bg-bad text-bad-on hover:opacity-90',
  /** Opens a confirmation whose button is `danger`. */
  warning: 'border border-bad bg-surface text-bad hover:bg-sunken',
} as const

export type ButtonLook = keyof typeof LOOKS

/** Returns the classes of a button, for elements that only look like one. */
export const buttonClass = (look: ButtonLook, extra = ''): string =>
  ['btn', LOOKS[look], extra].filter(Boolean).join(' ')

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonLook }

/**
 * A button. With scripts a disabled button is only marked as disabled and ignores clicks, because a
 * browser that disables the button just pressed removes the keyboard focus from it.
 */
export function Button({
  look = 'primary',
  className = '',
  type = 'submit',
  disabled = false,
  onClick,
  ...rest
}: ButtonProps) {
  const isHydrated = useHydrated()
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      {...rest}
      {...(isHydrated ? { 'aria-disabled': disabled || undefined } : { disabled })}
      onClick={disabled ? ignore : onClick}
    />
  )
}

const ignore = (event: MouseEvent) => event.preventDefault()

export function ButtonLink({
  look = 'primary',
  className = '',
  ...rest
}: LinkProps & { look?: ButtonLook }) {
  return <Link className={buttonClass(look, className)} {...rest} />
}
