import type { MetaFunction } from '@remix-run/node'
import { FeatureGrid } from '~/components/public/feature-grid'
import { HeroBatch } from '~/components/public/hero-batch'
import { HowItWorks } from '~/components/public/how-it-works'
import { PublicFrame } from '~/components/public/public-frame'
import { ReelSlider } from '~/components/public/reel-slider'
import { usePublicData } from '~/components/public/use-public-data'
import { ButtonLink } from '~/components/ui/button'
import { paths } from '~/lib/paths'
import { pageTitle } from '~/lib/title'

export const meta: MetaFunction = () => [
  { title: pageTitle('AI Powered Bulk Video Generation') },
  {
    name: 'description',
    content: 'Type prompts, get short videos: one at a time or a hundred at once.',
  },
]

export default function LandingPage() {
  const { isSignedIn } = usePublicData()
  return (
    <PublicFrame
      links={
        <>
          <ButtonLink to={paths.pricing} look="quiet">
            Pricing
          </ButtonLink>
          {isSignedIn ? (
            <ButtonLink to={paths.app}>Generate Video</ButtonLink>
          ) : (
            <ButtonLink to={paths.login} look="plain">
              Login
            </ButtonLink>
          )}
        </>
      }
    >
      <div className="space-y-16 md:space-y-24">
        <div className="space-y-10 pt-8 md:space-y-14 md:pt-16">
          <div className="mx-auto flex max-w-6xl items-center justify-between gap-10 px-4">
            <div>
              <h1 className="max-w-3xl text-2xl font-bold tracking-tight xs:text-3xl">
                AI Powered Bulk Video Generation
              </h1>
              <p className="mt-4 max-w-xl text-base text-soft md:text-lg">
                Write prompts, get short videos. One at a time, or a hundred from a single list,
                upright or wide.
              </p>
              <div className="mt-7 flex flex-wrap gap-3">
                <ButtonLink to={paths.pricing}>Explore Pricing</ButtonLink>
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
        <FeatureGrid />
      </div>
    </PublicFrame>
  )
}
