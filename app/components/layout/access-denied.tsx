import { ButtonLink } from '../ui/button'
import { paths } from '~/lib/paths'

/** Shown to a user on an administrator's page until the Refresh header redirects them. */
export function AccessDenied() {
  return (
    <main className="mx-auto flex min-h-[70vh] max-w-lg flex-col items-start justify-center gap-4 p-6">
      <h1 className="text-lg font-semibold">
        Access Denied - This page is only accessible to administrators. Redirecting you to your
        dashboard...
      </h1>
      <ButtonLink to={paths.dashboard} look="plain" reloadDocument>
        My Videos
      </ButtonLink>
    </main>
  )
}
