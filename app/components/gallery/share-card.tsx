import type { ShareLink } from '~/domain/videos/share-links.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { CopyButton } from '../ui/copy-button'
import { DayTime } from '../ui/day-time'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { textLinkClass } from '../ui/text-link'
import { LinkFields, WhoSees } from './link-fields'

type Props = {
  /** The clip that is shared. Null: a collection. */
  videoId: string | null
  links: readonly ShareLink[]
  origin: string
  /** Whether there are clips of the preview renderer, which show their prompt whatever is ticked. */
  hasPreviews: boolean
}

/** Links with which people without an account see a clip or a collection, and the form for a new one. */
export function ShareCard({ videoId, links, origin, hasPreviews }: Props) {
  const intent = videoId === null ? 'share-collection' : 'share'
  return (
    <Card className="space-y-4">
      <h2 id="share" className="scroll-mt-20 text-lg font-semibold">
        Share
      </h2>
      <ActionForm intent={intent} className="flex flex-wrap items-end gap-3">
        {videoId !== null && <HiddenFields fields={{ on: videoId }} />}
        <LinkFields isOfMany={videoId === null} hasPreviews={hasPreviews} />
        <SubmitButton intent={intent} look="plain">
          Create a link
        </SubmitButton>
      </ActionForm>
      <WhoSees of={videoId === null ? 'collection' : 'video'} />
      {links.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {links.map((link) => (
            <LinkRow key={link.token} link={link} origin={origin} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function LinkRow({ link, origin }: { link: ShareLink; origin: string }) {
  const { token, showsPrompt, expiresAt, downloads } = link
  const address = `${origin}${paths.shared(token)}`
  return (
    <li className="space-y-1 py-3">
      <div className="flex items-center gap-1">
        <a
          href={paths.shared(token)}
          className={`${textLinkClass} min-w-0 flex-1 truncate text-sm`}
        >
          {address}
        </a>
        <CopyButton text={address} label="Copy link" />
        <ActionForm intent="end-share" preventScrollReset>
          <HiddenFields fields={{ token }} />
          <Button look="quiet" aria-label="End this link">
            <Icon name="x" className="size-4" />
          </Button>
        </ActionForm>
      </div>
      <p className="text-xs tabular-nums text-soft">
        {expiresAt === null ? (
          'Until you end it'
        ) : (
          <>
            Until <DayTime instant={expiresAt} />
          </>
        )}
        {showsPrompt && ' · with prompts'} · {plural(downloads, 'download')}
      </p>
    </li>
  )
}
