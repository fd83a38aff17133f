import { plural } from '~/lib/figures'
import { buttonClass } from '../ui/button'
import { useWhenDone } from './busy-with-cards'
import { useGallery } from './gallery-context'
import { NOTHING_HELD } from './use-held-page'

/**
 * Says that new videos wait, so that none moves while somebody is busy with the cards. A press shows
 * them. It lies over the cards and takes no room.
 */
export function NewVideos() {
  const { form, held } = useGallery()
  const { waiting, release } = held
  // Also if none waits: a card that a filter does not show any more is held in its place.
  useWhenDone(held !== NOTHING_HELD, release)
  const show = () => {
    release()
    form.current?.scrollIntoView({ block: 'start' })
  }
  return (
    <div role="status" className="new-videos">
      {waiting > 0 && (
        <button type="button" onClick={show} className={buttonClass('primary', 'shadow-overlay')}>
          {plural(waiting, 'new video')}
        </button>
      )}
    </div>
  )
}
