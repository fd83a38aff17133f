import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { Link, useLoaderData } from '@remix-run/react'
import { ACCOUNT_DETAILS, AccountDetails } from './account-details'
import { PlanCard } from './plan-card'
import { PublicLayout } from '~/components/public/public-layout'
import { usePublicData } from '~/components/public/use-public-data'
import { buttonClass, ButtonLink } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { offeredPlans, plansInShort } from '~/domain/plans/catalogue'
import { readPaymentMethods, readPlans } from '~/http/loaders/contacts.server'
import { chatLink } from '~/lib/chat-link'
import { anyone } from '~/http/session/guards.server'
import { soldTextOf } from '~/domain/videos/offers.server'
import { dialogAddress, readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageMeta('Pricing', data && `${plansInShort(data.plans)}.`)

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = anyone({ request, context })
  const { name } = readDialog(new URL(request.url).searchParams)
  const [methods, plans] = await Promise.all([readPaymentMethods(), readPlans()])
  // Who makes the videos is the operator’s business.
  const sold = offeredPlans(plans).map(({ route, ...plan }) => ({
    ...plan,
    offer: soldTextOf(ctx, route),
  }))
  return json({ methods, plans: sold, isDialogOpen: name === ACCOUNT_DETAILS })
}

export default function PricingPage() {
  const { methods, plans, isDialogOpen } = useLoaderData<typeof loader>()
  const { isSignedIn } = usePublicData()
  return (
    <PublicLayout
      links={
        isSignedIn ? (
          <ButtonLink to={paths.app} look="plain">
            To the app
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.login} look="plain">
            Back to Login
          </ButtonLink>
        )
      }
    >
      <div className="mx-auto max-w-6xl space-y-8 px-4 pt-8 md:pt-12">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <div>
            <h1 className="text-2xl font-bold tracking-tight md:text-3xl">Pricing</h1>
            <p className="mt-2 max-w-xl text-soft">
              Pick a plan, pay by transfer, send us the proof. Plans differ in how many videos they
              make a day, and how fast.
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Link
              to={dialogAddress('', ACCOUNT_DETAILS)}
              data-opens={ACCOUNT_DETAILS}
              className={buttonClass('plain')}
            >
              <Icon name="wallet" className="size-4" />
              Account Details
            </Link>
            <ButtonLink to={paths.paid} look="plain">
              I have paid
            </ButtonLink>
            <ButtonLink to={paths.redeem} look="plain">
              Redeem a code
            </ButtonLink>
          </div>
        </div>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {plans.map((plan) => (
            <PlanCard key={plan.name} plan={plan} />
          ))}
        </div>
        <CustomPlan />
        <p className="text-sm text-soft">
          Before you pay, read the{' '}
          <Link
            to={paths.refundPolicy}
            className="font-medium text-ink underline underline-offset-4"
          >
            refund policy
          </Link>
          .
        </p>
      </div>
      <AccountDetails methods={methods} open={isDialogOpen} />
    </PublicLayout>
  )
}

function CustomPlan() {
  const { contacts, product } = usePublicData()
  const message = `Hello, I would like a custom ${product} plan.`
  return (
    <section
      aria-labelledby="custom"
      className="flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-surface p-5"
    >
      <div>
        <h2 id="custom" className="font-semibold">
          Custom plan
        </h2>
        <p className="mt-1 text-sm text-soft">
          More videos, another pace, several accounts: tell us what you need.
        </p>
      </div>
      <a
        href={chatLink(contacts.chatNumber, message)}
        rel="noreferrer"
        className={buttonClass('plain')}
      >
        Contact us for a custom plan
      </a>
    </section>
  )
}
