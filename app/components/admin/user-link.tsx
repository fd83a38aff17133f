import { Link } from '@remix-run/react'
import { paths } from '~/lib/paths'

type Props = { id: string; username: string }

/** A username that leads to the customer's page. */
export const UserLink = ({ id, username }: Props) => (
  <Link
    to={paths.admin.user(id)}
    className="break-all font-medium underline decoration-line underline-offset-4 hover:decoration-current"
  >
    {username}
  </Link>
)
