import { useEffect, useState } from 'react'
import type { CardView, VideoView } from '~/domain/videos/types'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'
import { useHydrated } from '../ui/use-hydrated'

/** A video as a dialog shows it. While only its card is known, a long prompt is cut. */
export type OpenedVideo = Omit<CardView, 'isCut'> & { isWhole: boolean }

type Sources = { id: string | null; loaded: VideoView | null; cards: readonly CardView[] }

type Opened = {
  video: OpenedVideo | null
  /** The server does not know the video: it was deleted, also in another tab. */
  isGone: boolean
  /** Asks the server whether the video still exists. */
  check: () => void
}

/**
 * Returns the video of a dialog: first from its card, then complete. If the URL named the video,
 * the loader has returned it with the page. Otherwise it is fetched here if necessary.
 */
export function useOpenedVideo({ id, loaded, cards }: Sources): Opened {
  const isHydrated = useHydrated()
  const card = cards.find((candidate) => candidate.id === id)
  const [fetched, setFetched] = useState<VideoView | null>(null)
  const whole = [loaded, fetched].find((video) => video?.id === id) ?? undefined
  const isKnown = card !== undefined || whole !== undefined
  const [gone, setGone] = useState(isHydrated || isKnown ? null : id)
  const isNeeded = id !== null && id !== gone && !whole && card?.isCut !== false
  const load = async (id: string) => {
    const result = await callApi<VideoView>('GET', paths.api.status(id))
    if (result.ok) setFetched(result.data)
    else if (result.status === 404) setGone(id)
  }
  useEffect(() => {
    if (isNeeded) void load(id)
  }, [id, isNeeded])
  return {
    video: id === gone ? null : opened(card, whole),
    isGone: id !== null && id === gone,
    check: () => void (id !== null && load(id)),
  }
}

/** The card is kept up to date. The complete video has the full prompt. */
function opened(card: CardView | undefined, whole: VideoView | undefined): OpenedVideo | null {
  if (card)
    return { ...card, prompt: whole?.prompt ?? card.prompt, isWhole: !card.isCut || !!whole }
  return whole ? { ...whole, isWhole: true } : null
}
