import { days } from '~/lib/time'
import type { Profile } from '../profile'

/** An order that no gateway has. */
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Gateways with `/v1/video/generations`, such as new-api. Answers are flat, or in `{code, data}`. */
export const generations: Profile = {
  keyWord: 'Bearer',
  seconds: [5, 8, 10],
  // What the model behind the gateway takes is not known.
  hasNegativePrompt: () => false,
  pictures: 'none',
  hasSound: false,
  // Not documented. Too long a time costs only requests.
  clipsKeptMs: days(1),
  order: ({ model, prompt, ratio, seconds }) => ({
    path: '/v1/video/generations',
    body: { model, prompt, aspect_ratio: ratio, duration: seconds },
  }),
  askAt: ({ id }) => `/v1/video/generations/${encodeURIComponent(id)}`,
  checkAt: () => `/v1/video/generations/${NOBODY}`,
  find: null,
}
