import { useEffect, useState } from 'react'
import type { CardView, VideoView } from '~/domain/videos/types'
import { callApi } from '~/lib/call-api'
import { paths } from '~/lib/paths'

/** A video as a dialog shows it. While only its card is known, a long prompt is cut. */
export type OpenedVideo = Omit<CardView, 'isCut'> & { isWhole: boolean }

type Sources = { id: string | null; loaded: VideoView | null; cards: readonly CardView[] }

/**
 * Returns the video of a dialog: first from its card, then complete. If the URL named the video,
 * the loader has returned it with the page. Otherwise it is fetched here if necessary.
 */
export function useOpenedVideo({ id, loaded, cards }: Sources): OpenedVideo | null {
  const [fetched, setFetched] = useState<VideoView | null>(null)
  const card = cards.find((candidate) => candidate.id === id)
  const whole = [loaded, fetched].find((video) => video?.id === id)
  const isNeeded = id !== null && !whole && card?.isCut !== false
  useEffect(() => {
    if (!isNeeded) return
    let isWanted = true
    void callApi<VideoView>('GET', paths.api.status(id)).then((result) => {
      if (isWanted && result.ok) setFetched(result.data)
    })
    return () => {
      isWanted = false
    }
  }, [id, isNeeded])
  if (id === null) return null
  // The card is kept up to date. The complete video has the full prompt.
  if (card)
    return { ...card, prompt: whole?.prompt ?? card.prompt, isWhole: !card.isCut || !!whole }
  return whole ? { ...whole, isWhole: true } : null
}
