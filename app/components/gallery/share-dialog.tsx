import { Link } from '@remix-run/react'
import { useState, type FormEvent } from 'react'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { ActionForm, HiddenFields } from '../ui/action-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Icon } from '../ui/icon'
import { textLinkClass } from '../ui/text-link'
import { showToast } from '../ui/toasts'
import { useHydrated } from '../ui/use-hydrated'
import { useRootData } from '../ui/use-root-data'
import { writeClipboard } from '../ui/write-clipboard'
import { LinkFields, WhoSees } from './link-fields'
import { ShareFileButton } from './share-file-button'
import type { OpenedVideo } from './use-opened-video'

const CHAT_APP = 'https://wa.me/?text='

/**
 * Shares a clip: a press makes a link with the choices below it and copies it, or hands it to the chat app.
 * Without scripts the link is then on the page of the clip.
 */
export function ShareDialog({ video }: { video: OpenedVideo }) {
  const root = useRootData()
  const isHydrated = useHydrated()
  const { url, isBusy, isCopied, copy, send } = useShareLink(video.id)
  if (video.videoUrl === null)
    return <Dialog title="Share this video">This video is not ready yet.</Dialog>
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void copy(event.currentTarget)
  }
  return (
    <Dialog title="Share this video" width="normal">
      <ActionForm intent="share" onSubmit={onSubmit} className="space-y-4">
        <HiddenFields fields={{ on: video.id }} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" aria-disabled={isBusy} className="min-w-36">
            <Icon name={isCopied ? 'check' : 'copy'} className="size-4" />
            {isHydrated ? (isCopied ? 'Copied' : 'Copy link') : 'Create a link'}
          </Button>
          {isHydrated && (
            <Button
              type="button"
              look="plain"
              disabled={isBusy}
              onClick={({ currentTarget }) => void send(currentTarget.form)}
            >
              <Icon name="message-circle" className="size-4" />
              WhatsApp
            </Button>
          )}
          <ShareFileButton videoId={video.id} />
        </div>
        {url !== null && (
          <p className="select-all break-all rounded bg-sunken p-2 text-sm" aria-live="polite">
            {url}
          </p>
        )}
        <div className="flex flex-wrap items-end gap-3">
          <LinkFields hasPreviews={root?.drawsPreviews ?? false} />
        </div>
        <WhoSees of="video" />
        <Link to={`${paths.video(video.id)}#share`} className={`${textLinkClass} text-sm`}>
          Links to this video
        </Link>
      </ActionForm>
    </Dialog>
  )
}

/** The copied state is shown this long (specification §9). */
const COPIED_MS = 2000

type Work = (link: Promise<string>) => Promise<void>

/** Makes one link for each choice of the form, however often it is copied or sent. */
function useShareLink(videoId: string) {
  const [made, setMade] = useState<{ choice: string; url: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const make = async (form: HTMLFormElement | null): Promise<string> => {
    const data = new FormData(form ?? undefined)
    const days = data.get('days')
    const body = { days: days ? Number(days) : null, showsPrompt: data.has('showsPrompt') }
    const choice = JSON.stringify(body)
    if (made?.choice === choice) return made.url
    const result = await callApi<{ url: string }>('POST', paths.api.links(videoId), body)
    if (!result.ok) throw new Error(result.text)
    setMade({ choice, url: result.data.url })
    return result.data.url
  }
  const during = async (form: HTMLFormElement | null, work: Work) => {
    if (isBusy) return
    setBusy(true)
    const link = make(form)
    try {
      await work(link)
      await link
    } catch (error) {
      const description = error instanceof Error ? error.message : undefined
      showToast({ kind: 'error', title: 'Link not created', description })
    } finally {
      setBusy(false)
    }
  }
  const copy = (form: HTMLFormElement) =>
    during(form, async (link) => {
      if (!(await writeClipboard(link))) {
        await link
        return showToast({
          kind: 'error',
          title: 'Failed to copy',
          description: 'Copy it by hand.',
        })
      }
      setCopied(true)
      setTimeout(() => setCopied(false), COPIED_MS)
    })
  const send = (form: HTMLFormElement | null) =>
    during(form, async (link) => {
      // Opened in the press itself, because browsers block what opens later.
      const chat = window.open('', '_blank')
      try {
        const address = CHAT_APP + encodeURIComponent(await link)
        if (chat) chat.location.href = address
        else location.assign(address)
      } catch (error) {
        chat?.close()
        throw error
      }
    })
  return { url: made?.url ?? null, isBusy, isCopied, copy, send }
}
