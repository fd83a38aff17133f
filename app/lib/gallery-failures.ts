/**
 * The toasts of a gallery's failed forms, by the form's intent: the title, and the description if the
 * server gave no reason (specification §8). Apart from failure-titles.ts, because users' pages load it.
 */
export const GALLERY_FAILED = {
  regenerate: ['Regenerate failed', 'Failed to regenerate video'],
  edit: ['Generation failed', 'Failed to start video generation'],
  more: ['Generation failed', 'Failed to start video generation'],
  retry: ['Retry failed', 'Failed to retry video generation'],
  delete: ['Delete failed', 'Failed to delete video'],
  star: ['Not starred', 'Failed to star video'],
  unstar: ['Star not removed', 'Failed to remove the star'],
  'star-selected': ['Not starred', 'Failed to star videos'],
  'unstar-selected': ['Stars not removed', 'Failed to remove the stars'],
  'collect-selected': ['Not added', 'Failed to add videos to the collection'],
  'uncollect-selected': ['Not removed', 'Failed to remove videos from the collection'],
  'retry-selected': ['Retry failed', 'Failed to retry videos'],
  'delete-selected': ['Delete failed', 'Failed to delete selected videos'],
  'retry-all': ['Retry All failed', 'Failed to retry videos'],
} as const satisfies Readonly<Record<string, readonly [title: string, description: string]>>
