import { useLocation, type LinkProps } from '@remix-run/react'
import { dialogAddress } from '~/lib/dialog-address'
import { ButtonLink, type ButtonLook } from './button'

type Props = Omit<LinkProps, 'to'> & {
  dialog: string
  /** Id of the dialog's subject. */
  on?: string
  look?: ButtonLook
}

/** A link that looks like a button and opens a dialog of the same page, with a URL of its own. */
export function DialogLink({ dialog, on, look = 'plain', ...rest }: Props) {
  const { search } = useLocation()
  return (
    <ButtonLink to={dialogAddress(search, dialog, on)} preventScrollReset look={look} {...rest} />
  )
}
