import {
  json,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData, Link } from '@remix-run/react'
import { HelperActs } from '~/components/admin/helpers/helper-acts'
import { HelperRequests } from '~/components/admin/helpers/helper-requests'
import { HelperRightsForm } from './helper-rights-form'
import { PageHeader } from '~/components/admin/page-header'
import { ActionToast } from '~/components/ui/toasts'
import { EmptyState } from '~/components/ui/empty-state'
import { listAskedClaims } from '~/domain/administration/helpers/helper-claims.server'
import {
  listHelperActs,
  listHelpers,
  listRequests,
} from '~/domain/administration/helpers/helpers.server'
import { handleForm } from '~/http/forms/forms.server'
import { requireAdmin } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'
import { helpersForms } from './route.server'
import type { AskedClaim } from '~/domain/administration/types'
import { askedText } from '~/domain/payments/money'
import { buttonClass } from '~/components/ui/button'
import { Card } from '~/components/ui/card'
import { DayTime } from '~/components/ui/day-time'

export const meta: MetaFunction = () => pageMeta('Helpers')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = requireAdmin({ request, context })
  const [helpers, acts, requests, claims] = await Promise.all([
    listHelpers(ctx),
    listHelperActs(ctx),
    listRequests(ctx),
    listAskedClaims(ctx),
  ])
  return json({ helpers, ...acts, requests, claims })
}

export async function action(args: ActionFunctionArgs) {
  return handleForm(args, helpersForms(requireAdmin(args).ctx))
}

export { clientAction, shouldRevalidate } from '~/components/ui/page-forms'

/** What helpers ask for, what each may do, and what they did today. */
export default function HelpersPage() {
  const { helpers, acts, sales, requests, claims } = useLoaderData<typeof loader>()
  const failure = useActionData<typeof action>()
  return (
    <div className="space-y-6">
      <ActionToast toast={failure?.toast} />
      <PageHeader
        title="Helpers"
        note="Users with the role editor, who may do for you what you tick."
      />
      <HelperRequests requests={requests} mayDecide />
      <AskedClaims claims={claims} />
      {helpers.length === 0 ? (
        <EmptyState text="There is no editor. Give a user that role under User Management." />
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          {helpers.map((helper) => (
            <HelperRightsForm key={helper.id} helper={helper} />
          ))}
        </div>
      )}
      <HelperActs acts={acts} sales={sales} unpaid={paths.admin.unpaid} />
    </div>
  )
}

/** The payments that helpers ask an administrator to confirm. */
function AskedClaims({ claims }: { claims: readonly AskedClaim[] }) {
  if (claims.length === 0) return null
  return (
    <Card title="Payments to decide">
      <ul className="divide-y divide-line">
        {claims.map(({ id, askedBy, receivedAt, ...claim }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
            <p className="min-w-0 break-words">
              {askedBy}: {askedText(claim)}{' '}
              <span className="text-soft">
                <DayTime instant={receivedAt} />
              </span>
            </p>
            <Link
              to={`${paths.admin.payments}?state=claimed&dialog=confirm&on=${id}`}
              className={buttonClass('plain')}
              aria-label={`Open the payment of ${claim.username}`}
            >
              Open
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
