import { useNavigation } from '@remix-run/react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Button, type ButtonLook } from './button'

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> & {
  /** The form's intent. While it is being sent the button is disabled. */
  intent: string
  look?: ButtonLook
  /** Label while the form is being sent. */
  pending?: ReactNode
}

/** A submit button that cannot be pressed twice. */
export function SubmitButton({ intent, pending, disabled = false, children, ...rest }: Props) {
  const navigation = useNavigation()
  const isSending = navigation.formData?.get('intent') === intent
  return (
    <Button disabled={disabled || isSending} {...rest}>
      {isSending && pending !== undefined ? pending : children}
    </Button>
  )
}
