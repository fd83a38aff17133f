import type { ShareLink } from '~/domain/videos/share-links.server'
import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { CopyButton } from '../ui/copy-button'
import { DayTime } from '../ui/day-time'
import { CheckboxField, lineClass } from '../ui/field-frame'
import { Icon } from '../ui/icon'
import { SubmitButton } from '../ui/submit-button'
import { textLinkClass } from '../ui/text-link'
import { ShareFileButton } from './share-file-button'

const ENDS = [
  ['1', 'after a day'],
  ['7', 'after a week'],
  ['30', 'after 30 days'],
  ['', 'when I end it'],
] as const

type Props = {
  /** The clip that is shared. Null: a collection. */
  videoId: string | null
  links: readonly ShareLink[]
  origin: string
  /** Whether there are clips of the preview renderer, which show their prompt whatever is ticked. */
  hasPreviews: boolean
}

const PREVIEWS =
  'Clips from the preview renderer show the prompt in the picture, whether or not this is ticked.'

const SEES = {
  video: 'sees this video without signing in.',
  collection:
    'sees the clips of this collection without signing in, also those that you add later.',
} as const

/** Links with which people without an account see a clip or a collection, and the form for a new one. */
export function ShareCard({ videoId, links, origin, hasPreviews }: Props) {
  return (
    <Card className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">Share</h2>
        {videoId !== null && <ShareFileButton videoId={videoId} />}
      </div>
      <ActionForm intent="share" className="flex flex-wrap items-end gap-3">
        <label className="space-y-1 text-sm">
          <span className="block font-medium">The link ends</span>
          <select name="days" defaultValue="7" className={`${lineClass} w-auto`}>
            {ENDS.map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <CheckboxField
          name="showsPrompt"
          label={videoId === null ? 'Show the prompts' : 'Show the prompt'}
          hint={hasPreviews ? PREVIEWS : ''}
        />
        <SubmitButton intent="share" look="plain">
          Create a link
        </SubmitButton>
      </ActionForm>
      <p className="text-sm text-soft">
        Whoever has a link {SEES[videoId === null ? 'collection' : 'video']} Search engines are
        asked to stay away.
      </p>
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
