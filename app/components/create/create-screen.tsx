import { useNavigate, useSearchParams } from '@remix-run/react'
import type { Standing } from '~/domain/accounts/rules'
import type { Outlook } from '~/domain/batches/receipt'
import type { BatchProgress } from '~/domain/batches/types'
import type { QuotaView } from '~/domain/quota/types'
import type { Draft, DraftKind } from '~/domain/videos/drafts'
import type { Hold } from '~/domain/videos/holds'
import type { VideoView } from '~/domain/videos/types'
import type { FormFailure } from '~/http/forms.server'
import { dialogAddress, readDialog } from '~/lib/dialog-address'
import { paths } from '~/lib/paths'
import { ConfirmDialog } from '../ui/confirm'
import { QuotaCard } from '../videos/quota-card'
import { STOP_DIALOG } from './batch-panel'
import { BulkTab } from './bulk-tab'
import { ImageTab } from './image-tab'
import { ReloadHint } from './reload-hint'
import { StandingNote } from './standing-note'
import { PANEL_ID, readTab, Tabs } from './tabs'
import { TextTab } from './text-tab'
import { useLiveBatch } from './use-live-batch'
import { useLiveHolds } from './use-live-holds'
import { useServerNow } from './use-server-now'
import { useTrackedVideo } from './use-tracked-video'
import { WorkCard } from './work-card'

type Props = {
  data: {
    userId: string
    formKey: string
    prompt: string
    standing: Standing
    quota: QuotaView
    outlook: Outlook
    now: string
    progress: BatchProgress | null
    holds: Hold[]
    tracked: VideoView | null
    isSingleRunning: boolean
    drafts: Record<DraftKind, Draft>
  }
  failure: FormFailure | null
  /** Whether something is being made. */
  isWorking: boolean
  /** Where scripts are off: the page loads itself anew to show progress. */
  isFollowing: boolean
}

/** The create screen above its gallery: three tabs, the quota, and what is being made. */
export function CreateScreen({ data, failure, isWorking, isFollowing }: Props) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const tab = readTab(search)
  const { userId, formKey, drafts, quota, outlook } = data
  const { timeZone } = quota
  const { holds, readHolds } = useLiveHolds(data.holds)
  const progress = useLiveBatch(data.progress, readHolds)
  const running = progress?.batch.status === 'processing' ? progress.batch : null
  const now = useServerNow(data.now, running !== null || tab === 'bulk')
  const { video, secondsLeft } = useTrackedVideo(data.tracked, {
    onHeaders: readHolds,
    onReady: ({ id }) =>
      navigate(dialogAddress(`?${search}`, 'preview', id), { preventScrollReset: true }),
  })
  // The gallery's dialog for editing has a field of the same name.
  const shared = { userId, formKey, failure: failure?.intent === 'edit' ? null : failure }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
      <div className="space-y-4">
        <Tabs current={tab} />
        <StandingNote standing={data.standing} quota={quota} />
        {isWorking && (
          <ReloadHint
            isFollowing={isFollowing}
            isSingleRunning={tab === 'text' && data.isSingleRunning}
          />
        )}
        <div
          role="tabpanel"
          id={PANEL_ID}
          aria-labelledby={`tab-${tab}`}
          className={`scroll-mt-20 ${isFollowing ? 'while-still' : ''}`}
        >
          {tab === 'text' && (
            <TextTab
              {...shared}
              draft={drafts.single}
              prompt={data.prompt}
              isRunning={data.isSingleRunning}
            />
          )}
          {tab === 'image' && <ImageTab />}
          {tab === 'bulk' && (
            <BulkTab
              {...shared}
              draft={drafts.bulk}
              running={running}
              outlook={outlook}
              now={now}
              timeZone={timeZone}
            />
          )}
        </div>
        <QuotaCard quota={quota} />
      </div>
      <WorkCard {...{ video, secondsLeft, progress, holds, now, timeZone }} />
      {running && readDialog(search).name === STOP_DIALOG && (
        <ConfirmDialog
          title="Stop this batch?"
          text={
            <p>
              Videos that have not been sent are cancelled and their quota comes back. Those already
              being made are finished and charged.
            </p>
          }
          intent="stop-batch"
          action={paths.create('bulk')}
          fields={{ batchId: running.id }}
          confirmLabel="Stop All Process"
        />
      )}
    </div>
  )
}
