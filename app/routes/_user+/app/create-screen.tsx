import { useSearchParams } from '@remix-run/react'
import { useEffect } from 'react'
import { trackedOf, type Work } from '~/domain/batches/work'
import type { Draft, DraftKind, DraftText } from '~/domain/videos/requests/drafts'
import type { Continued, DraftPicture, Pictures } from '~/domain/videos/requests/pictures'
import type { FormResponse } from '~/http/forms/forms.server'
import { readDialog } from '~/lib/dialog-address'
import type { LiveGallery } from '~/components/gallery/use-live-gallery'
import { useBeforePaint } from '~/components/ui/use-before-paint'
import { useReturn } from '~/components/ui/use-return'
import { QuotaLine } from './quota-line'
import { STOP_DIALOG } from '~/components/batches/batch-actions'
import { BulkTab } from './bulk-tab'
import { Composer } from './composer'
import { ImageTab } from './image-tab'
import { ReloadHint } from './reload-hint'
import { StopDialog } from './stop-dialog'
import { readTab } from './tabs'
import { TextTab } from './text-tab'
import { useEndedVideo } from './use-ended-video'
import { useFollowing } from './use-following'
import { useServerNow } from './use-server-now'
import { useStartedWork } from './use-started-work'
import { WorkCard } from './work-card'
import { workPage } from './work-page'
import { pageTitle } from '~/lib/title'

type Props = {
  forms: {
    userId: string
    formKey: string
    offered: Partial<DraftText> | null
    drafts: Record<DraftKind, Draft>
    /** Whether a list of prompts waits on its own page. */
    hasList: boolean
    pictures: Pictures
    /** Whether a video with a picture may have one for its end as well. */
    takesEndPictures: boolean
    /** The pictures of the next batch; null: there are no videos from pictures. */
    draftPictures: DraftPicture[] | null
    /** The clip that the image tab continues; null: none. */
    continued: Continued
    /** How the account's videos differ from the usual ones; null: they do not. */
    offer: string | null
    /** The resolution of each model that has another one than usual. */
    resolutions: Record<string, string>
    /** Whether a text service can rewrite prompts. */
    hasTexts?: true
  }
  live: LiveGallery
  work: Work
  failure: FormResponse | null
  /** Without scripts: whether the page reloads itself to show progress. */
  isFollowing: boolean
}

/**
 * The create screen around its gallery: the composer with its three tabs, the quota, and the work
 * under way. They are parts of the grid `create-page`.
 */
export function CreateScreen({ forms, live, work, failure, isFollowing }: Props) {
  const [search] = useSearchParams()
  const tab = readTab(search)
  const { userId, formKey, drafts, hasTexts } = forms
  const { quota } = live
  const { progress, estimateInputs } = work
  // Nobody is promised a place in line that the server would refuse.
  const mayAdd = work.standing === 'ok' && quota.remaining > 0
  const inLine = mayAdd ? work.singlesAhead : null
  const running = progress?.batch.status === 'processing' ? progress : null
  const now = useServerNow(live.now, running !== null || tab === 'bulk')
  const secondsLeft = useFollowing(work, live)
  useEndedVideo(work, live.page.videos)
  // Work on another device is news here, too. While this page polls, it hears of it anyway.
  useReturn(() => live.page.counts.inProgress === 0 && live.catchUp())
  useStartedWork({ hasFailed: failure !== null })
  useTitle(pageTitle(workPage(progress)))
  useTopOfNextPage()
  // The gallery's edit dialog has a field with the same name.
  const shared = { userId, formKey, failure: failure?.intent === 'edit' ? null : failure }
  return (
    <>
      {live.page.counts.inProgress > 0 && <ReloadHint isFollowing={isFollowing} />}
      <Composer tab={tab} isStill={isFollowing}>
        {tab === 'text' && (
          <TextTab
            {...shared}
            draft={drafts.single}
            hasTexts={hasTexts}
            offered={forms.offered}
            inLine={inLine}
            isFirst={live.page.counts.total === 0}
            isUsedUp={work.standing === 'ok' && quota.remaining === 0}
          />
        )}
        {tab === 'image' && (
          <ImageTab
            {...shared}
            pictures={forms.pictures}
            takesEndPictures={forms.takesEndPictures}
            continued={forms.continued}
            draft={drafts.single}
            inLine={inLine}
          />
        )}
        {tab === 'bulk' && (
          <BulkTab
            {...shared}
            draft={drafts.bulk}
            running={running?.batch ?? null}
            inLine={running?.inLine.length ?? 0}
            hasList={forms.hasList}
            hasTexts={hasTexts}
            draftPictures={forms.draftPictures}
            estimateInputs={estimateInputs}
            now={now}
          />
        )}
      </Composer>
      <div className="create-side">
        <QuotaLine quota={quota} standing={work.standing} offer={forms.offer} />
        <WorkCard
          video={trackedOf(work)}
          secondsLeft={secondsLeft}
          progress={progress}
          isExpired={work.standing === 'expired'}
          mayStart={work.standing === 'ok'}
          formKey={formKey}
          now={now}
          live={live}
          resolutions={forms.resolutions}
        />
      </div>
      {running && readDialog(search).name === STOP_DIALOG && <StopDialog progress={running} />}
    </>
  )
}

/**
 * Lets the page after this one begin at its top. The forms here keep the place of this page, and the
 * framework would keep it on every page to which they lead.
 */
function useTopOfNextPage(): void {
  useBeforePaint(() => () => scrollTo(0, 0), [])
}

/** Keeps the page's title up to date after the initial one. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
