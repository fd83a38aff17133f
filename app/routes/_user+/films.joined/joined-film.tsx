import { useState } from 'react'
import { isUnfinished, lengthText } from '~/domain/films/rules'
import type { ChosenClip, FilmNews } from '~/domain/films/types'
import { plural, sizeOf } from '~/lib/figures'
import { paths } from '~/lib/paths'
import { seconds } from '~/lib/time'
import { ButtonLink } from '~/components/ui/button'
import { Icon } from '~/components/ui/icon'
import { Progress } from '~/components/ui/progress'
import { usePolling } from '~/components/ui/use-polling'
import { VideoPlayer } from '~/components/videos/video-player'

const NEWS_MS = seconds(2)

type Props = { ids: readonly string[]; name: string; clips: readonly ChosenClip[]; news: FilmNews }

/** A film that was ordered: how far it is, then the film itself. */
export function JoinedFilm({ ids, name, clips, news: loaded }: Props) {
  const news = useFilmNews(ids, loaded)
  const facts = [
    plural(clips.length, 'clip'),
    lengthText(clips.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    ...(news.state === 'ready' ? [sizeOf(news.bytes)] : []),
  ]
  return (
    <>
      <p className="text-sm tabular-nums text-soft">{facts.join(' · ')}</p>
      <div role="status" className="space-y-2 text-sm">
        <FilmProgress news={news} clips={clips.length} />
      </div>
      {news.state === 'ready' && <ReadyFilm film={news} name={name} clips={clips} />}
      {news.state === 'failed' && (
        <ButtonLink look="plain" to={paths.newFilm(ids, name)}>
          Back to the order of the clips
        </ButtonLink>
      )}
    </>
  )
}

/** Returns how far the film is now: while it is being joined, the page asks for news. */
function useFilmNews(ids: readonly string[], loaded: FilmNews): FilmNews {
  const [news, setNews] = useState(loaded)
  usePolling<FilmNews>({
    url: () => paths.filmNews(ids),
    everyMs: NEWS_MS,
    isActive: isUnfinished(news),
    onAnswer: setNews,
  })
  return news
}

function FilmProgress({ news, clips }: { news: FilmNews; clips: number }) {
  switch (news.state) {
    case 'waiting':
      return (
        <>
          <p>Waiting for its turn.</p>
          <Stay />
        </>
      )
    case 'working':
      return (
        <>
          <p className="tabular-nums">
            {news.clipsDone} of {plural(clips, 'clip')} joined
          </p>
          <Progress label="Clips joined" percent={(100 * news.clipsDone) / Math.max(1, clips)} />
          <Stay />
        </>
      )
    case 'failed':
      return <p className="text-bad [overflow-wrap:anywhere]">{news.reason}</p>
    case 'ready':
      return (
        <>
          {news.lostSound && (
            <p className="text-warn">Without sound: not every clip has sound of the same kind.</p>
          )}
          <p className="text-soft">
            Download it now: it is kept for an hour after it was joined. Its clips stay.
          </p>
        </>
      )
  }
}

const Stay = () => (
  <p className="text-soft">
    You may leave this page. To come back, join the same clips in the same order.
  </p>
)

type ReadyProps = Pick<Props, 'name' | 'clips'> & { film: Extract<FilmNews, { state: 'ready' }> }

function ReadyFilm({ film: { filmId }, name, clips: [first] }: ReadyProps) {
  if (first === undefined) return null
  const { id, aspectRatio, hasPoster, version } = first
  const video = {
    prompt: name,
    aspectRatio,
    videoUrl: paths.filmFile(filmId),
    thumbnailUrl: hasPoster ? paths.media(id, 'jpg') + version : null,
    completedAt: null,
    regenerateCount: 0,
  }
  return (
    <>
      <ButtonLink
        to={paths.filmDownload(filmId, name)}
        reloadDocument
        aria-label={`Download ${name}`}
      >
        <Icon name="download" className="size-4" />
        Download
      </ButtonLink>
      <VideoPlayer video={video} />
    </>
  )
}
