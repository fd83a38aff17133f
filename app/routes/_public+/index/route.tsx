import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { FeatureGrid } from './feature-grid'
import { HowItWorks } from './how-it-works'
import { PublicLayout, SiteLinks } from '~/components/public/public-layout'
import { ReelSlider } from './reel-slider'
import { usePublicData } from '~/components/public/use-public-data'
import { ButtonLink } from '~/components/ui/button'
import { standing, trialInVideos, trialText } from '~/domain/accounts/rules'
import { offeredPlans, plansInShort } from '~/domain/plans/catalogue'
import { getQuota } from '~/domain/quota/queries.server'
import { picturesOf } from '~/domain/videos/requests/picture-video.server'
import { readPlans } from '~/http/loaders/contacts.server'
import { anyone, requireUser } from '~/http/session/guards.server'
import { paths } from '~/lib/paths'
import { plural } from '~/lib/figures'
import { pageMeta } from '~/lib/title'
import { SAMPLES } from '~/lib/samples'
import { Icon } from '~/components/ui/icon'

export const meta: MetaFunction = () =>
  pageMeta(
    'AI Powered Bulk Video Generation',
    'Type prompts, get short videos: one at a time or a hundred at once.',
  )

/**
 * Returns how many videos the signed-in user can make today. Null for visitors and for accounts
 * that cannot order. With it the plans in short, whether videos can be made from pictures, and what a
 * new account may make for nothing.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const plans = await readPlans()
  const inShort = plansInShort(offeredPlans(plans))
  const { ctx: open } = anyone({ request, context })
  const hasPictures = picturesOf(open) === 'on'
  const free = trialText(trialInVideos(open.settings.trial, plans.Starter.clipUnits))
  if (!context.visitor) return json({ left: null, inShort, hasPictures, free })
  const { ctx, account, now } = requireUser({ request, context })
  if (standing(account, now) !== 'ok') return json({ left: null, inShort, hasPictures, free: null })
  const quotaOf = { userId: account.id, limit: account.videoLimit, timeZone: ctx.settings.timeZone }
  const { remaining } = await getQuota(ctx.db, quotaOf)
  return json({ left: remaining, inShort, hasPictures, free: null })
}

export default function LandingPage() {
  const { isSignedIn } = usePublicData()
  const { left, inShort, hasPictures, free } = useLoaderData<typeof loader>()
  return (
    <PublicLayout links={<SiteLinks to={paths.dashboard}>My Videos</SiteLinks>}>
      <div className="space-y-16 md:space-y-24">
        <div className="space-y-10 pt-8 md:space-y-14 md:pt-16">
          <div className="mx-auto flex max-w-6xl items-center justify-between gap-10 px-4">
            <div className="min-w-0">
              <h1 className="max-w-3xl text-2xl font-bold tracking-tight xs:text-3xl">
                AI Powered Bulk Video Generation
              </h1>
              <p className="mt-4 max-w-xl text-base text-soft md:text-lg">
                Write prompts, get short videos. One at a time, or a hundred from a single list,
                upright or wide.
              </p>
              {left !== null && (
                <p className="mt-4 font-medium">You can make {plural(left, 'video')} today.</p>
              )}
              {free && <p className="mt-4 font-medium">A new account gets {free}.</p>}
              <div className="mt-7 flex flex-wrap gap-3">
                {isSignedIn && <ButtonLink to={paths.app}>Generate Video</ButtonLink>}
                <ButtonLink to={paths.pricing} look={isSignedIn ? 'plain' : 'primary'}>
                  Explore Pricing
                </ButtonLink>
                {!isSignedIn && (
                  <ButtonLink to={paths.register} look="plain">
                    Create account
                  </ButtonLink>
                )}
              </div>
            </div>
            <HeroBatch />
          </div>
          <ReelSlider />
        </div>
        <HowItWorks />
        <FeatureGrid plansInShort={inShort} hasPictures={hasPictures} />
      </div>
    </PublicLayout>
  )
}

const DONE = 4

/** A picture of a running batch as the create screen shows it. Decorative. */
function HeroBatch() {
  return (
    <div
      aria-hidden
      className="hidden rounded-lg border border-line bg-surface p-5 text-sm lg:block lg:w-96"
    >
      <div className="flex items-baseline justify-between">
        <p className="font-semibold">Processing Bulk Generation...</p>
        <p className="tabular-nums text-soft">{DONE}/8</p>
      </div>
      <div className="mt-3 h-2 overflow-hidden rounded-full bg-sunken">
        <div className="h-full w-1/2 rounded-full bg-accent" />
      </div>
      <div className="mt-4 divide-y divide-line">
        {SAMPLES.slice(0, 6).map(({ prompt, imagePath }, index) => (
          <p key={imagePath} className="flex items-center gap-2.5 py-1.5 text-soft">
            {index < DONE ? (
              <Icon name="circle-check" className="size-4 shrink-0 text-good" />
            ) : (
              <Icon name="loader-circle" className="size-4 shrink-0 text-accent" />
            )}
            <span className="truncate">{prompt}</span>
          </p>
        ))}
      </div>
    </div>
  )
}
