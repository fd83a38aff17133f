import { Badge } from '~/components/ui/badge'
import { Icon } from '~/components/ui/icon'
import type { IconName } from '~/components/ui/icon-names'
import { LandingSection } from './landing-section'

type Feature = { title: string; text: string; icon: IconName; needsPictures?: true }

const plansFeature = (inShort: string): Feature => ({
  title: 'Feature Packed Plans',
  text: `${inShort}, each with its own pace and support.`,
  icon: 'layers',
})

const FEATURES: readonly Feature[] = [
  {
    title: 'Text-to-Video',
    text: 'Describe a scene; get it upright or wide, in 720p.',
    icon: 'type',
  },
  {
    title: 'Image-to-Video',
    text: 'Start from a picture of your own.',
    icon: 'image-play',
    needsPictures: true,
  },
  {
    title: 'Bulk Generation',
    text: 'Paste a list and watch each video finish.',
    icon: 'clapperboard',
  },
  {
    title: 'Batch Prompt Support 100+',
    text: 'Paste, drop or upload your prompts, one a line.',
    icon: 'list-plus',
  },
  {
    title: 'Single Click Download of All Videos',
    text: 'Everything in one go, in the order of your prompts.',
    icon: 'folder-down',
  },
  {
    title: 'Mobile Optimized',
    text: 'Made for small screens and slow connections, scripts or no scripts.',
    icon: 'smartphone',
  },
]

type Props = { plansInShort: string; hasPictures: boolean }

/**
 * The features of the product: three wide tiles, then four. `plansInShort` says how many videos the plans
 * give, and `hasPictures` whether the operator offers videos from pictures.
 */
export function FeatureGrid({ plansInShort, hasPictures }: Props) {
  return (
    <LandingSection id="features" title="What You Get">
      <ul className="mt-6 grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:grid-cols-12">
        {[plansFeature(plansInShort), ...FEATURES].map(
          ({ title, text, icon, needsPictures }, index) => (
            <li
              key={title}
              className={`bg-surface p-5 ${index === 0 ? 'sm:max-lg:col-span-2' : ''} ${index < 3 ? 'lg:col-span-4' : 'lg:col-span-3'}`}
            >
              <Icon name={icon} className="size-6 text-accent" />
              <h3 className="mt-3 flex flex-wrap items-center gap-2 font-semibold">
                {title} {needsPictures && !hasPictures && <Badge>Coming Soon</Badge>}
              </h3>
              <p className="mt-1 text-sm text-soft">{text}</p>
            </li>
          ),
        )}
      </ul>
    </LandingSection>
  )
}
