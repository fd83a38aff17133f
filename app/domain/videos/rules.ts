import type { FailureClass } from './types'

export const VIDEO_LIMITS = {
  promptCharacters: 10_000,
  negativePromptCharacters: 300,
  /** Largest page of the list call. */
  pageSize: 10_000,
} as const

/** What the owner reads when a video failed: what happened, what is safe, what to do next. */
export const FAILURE_TEXT = {
  input:
    'The video model does not accept these settings. Nothing was charged. Change the prompt and try again.',
  policy:
    'The prompt was refused by the safety rules of the video model. Nothing was charged. Change the wording and try again.',
  busy: 'The video service was too busy for too long. Nothing was charged. Try again later.',
  down: 'The video service could not be reached. Nothing was charged. Try again later.',
  token: 'No access to the video service was left for this video. Nothing was charged. Contact us.',
  'time-out': 'The video took too long and was given up. Nothing was charged. Try again.',
  unknown: 'The video service lost this video. Nothing was charged. Try again.',
  cancelled: 'Cancelled',
} as const satisfies Record<FailureClass, string>

/** Words for a video model: its version for the models we sell, plain words for the built-in one. */
export function modelLabel(model: string): string {
  if (model === 'local-preview') return 'Preview renderer'
  const version = /veo-?(\d+\.\d+)/.exec(model)?.[1]
  return version ? `Model ${version}` : model
}
