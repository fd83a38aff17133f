import { Icon } from '../ui/icon'

/** A placeholder: the feature is only announced (specification §1). */
export function ImageTab() {
  return (
    <div className="flex flex-col items-center gap-3 py-12 text-center">
      <Icon name="image-play" className="size-10 text-edge" />
      <h2 className="text-lg font-semibold">Coming Soon</h2>
      <p className="max-w-prose text-sm text-soft">
        Image to Video is not ready yet. Text to Video and the Bulk Generator are.
      </p>
    </div>
  )
}
