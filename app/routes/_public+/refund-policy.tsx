import type { MetaFunction } from '@remix-run/node'
import { PublicLayout, SiteLinks } from '~/components/public/public-layout'
import { usePublicData } from '~/components/public/use-public-data'
import { ButtonLink } from '~/components/ui/button'
import { GENERAL_REFUND_TERMS, REFUND_TERMS } from '~/domain/plans/refunds'
import { paths } from '~/lib/paths'
import { pageMeta } from '~/lib/title'

export const meta: MetaFunction = () =>
  pageMeta('Refund Policy', 'Which plans can be refunded, how much, and by when.')

export default function RefundPolicyPage() {
  const { isSignedIn } = usePublicData()
  return (
    <PublicLayout links={<SiteLinks to={paths.app}>To the app</SiteLinks>}>
      <div className="mx-auto max-w-6xl space-y-8 px-4 pt-8 md:pt-12">
        <div>
          <h1 className="text-2xl font-bold tracking-tight md:text-3xl">Refund Policy</h1>
          <p className="mt-2 max-w-xl text-soft">What is returned, and until when, plan by plan.</p>
        </div>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {Object.entries(REFUND_TERMS).map(([plan, { term, details }]) => (
            <article
              key={plan}
              aria-label={plan}
              className="rounded-lg border border-line bg-surface p-5 tiny:p-3"
            >
              <h2 className="text-sm font-medium text-soft">{plan}</h2>
              <p className="mt-1 text-lg font-semibold">{term}</p>
              <p className="mt-3 text-sm text-soft">{details}</p>
            </article>
          ))}
        </div>
        <section aria-labelledby="general">
          <h2 id="general" className="text-lg font-semibold">
            General terms
          </h2>
          <ul className="mt-3 max-w-2xl list-disc space-y-1.5 pl-5 text-soft marker:text-accent">
            {GENERAL_REFUND_TERMS.map((term) => (
              <li key={term}>{term}</li>
            ))}
          </ul>
        </section>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.pricing}>View pricing</ButtonLink>
          <ButtonLink to={isSignedIn ? paths.app : paths.login} look="plain">
            {isSignedIn ? 'To the app' : 'Go to login'}
          </ButtonLink>
        </div>
      </div>
    </PublicLayout>
  )
}
