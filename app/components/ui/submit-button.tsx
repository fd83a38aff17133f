import { useNavigation } from '@remix-run/react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { buttonClass, type ButtonLook } from './button'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
  /** The form's intent: while it is being sent the button is disabled. */
  intent: string
  look?: ButtonLook
  /** Words while the form is being sent. */
  pending?: ReactNode
}

/** Sends its form, and cannot be pressed twice. */
export function SubmitButton({
  intent,
  look = 'primary',
  pending,
  disabled = false,
  className = '',
  children,
  ...rest
}: Props) {
  const navigation = useNavigation()
  const isSending = navigation.formData?.get('intent') === intent
  return (
    <button
      type="submit"
      disabled={disabled || isSending}
      className={buttonClass(look, className)}
      {...rest}
    >
      {isSending && pending !== undefined ? pending : children}
    </button>
  )
}
