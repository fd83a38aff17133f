import { days } from '~/lib/time'
import type { Asked, Profile, Wish } from '../profile'

// Each model is an endpoint, and each family of models names its fields in its own way.

/** Lengths as text with a unit (Veo), as text (Kling, Seedance, PixVerse), or as a number. */
function lengthOf({ model, seconds }: Wish): string | number {
  if (/veo/i.test(model)) return `${seconds}s`
  return /kling|seedance|pixverse/i.test(model) ? String(seconds) : seconds
}

const isWan3 = (model: string) => /wan[-/]?v?3/i.test(model)
const pictureField = (model: string) =>
  /kling/i.test(model) || isWan3(model) ? 'start_image_url' : 'image_url'

/** Addresses hold the owner and the app, not the whole id of a model. */
const appOf = (model: string) => model.split('/').slice(0, 2).join('/')
const requestOf = ({ model, id }: Pick<Asked, 'model' | 'id'>) =>
  `/${appOf(model)}/requests/${encodeURIComponent(id)}`

/** fal's queue: one key for most models. */
export const fal: Profile = {
  url: 'https://queue.fal.run',
  keyWord: 'Key',
  modelForm: {
    form: /^\w[\w.-]*(\/\w[\w.-]*)+$/,
    example: 'fal-ai/kling-video/v3/standard/text-to-video',
  },
  seconds: [4, 5, 6, 8, 10],
  hasNegativePrompt: (model) => /veo|kling|pixverse|ltx/i.test(model),
  pictures: 'own-model',
  hasSound: true,
  // Not in our facts. Too long a time costs only requests.
  clipsKeptMs: days(1),
  order: (wish) => ({
    path: `/${wish.model}`,
    headers: {
      // It would order again by itself, or let another model answer.
      'x-fal-no-retry': '1',
      'x-app-fal-disable-fallback': 'true',
    },
    body: {
      prompt: wish.prompt,
      negative_prompt: wish.negativePrompt,
      aspect_ratio: wish.ratio,
      resolution: '720p',
      duration: lengthOf(wish),
      [isWan3(wish.model) ? 'audio' : 'generate_audio']: wish.sound,
      [pictureField(wish.model)]: wish.picture,
    },
  }),
  idAt: ['request_id'],
  keeps: ['status_url', 'response_url', 'cancel_url'],
  askAt: (order) => order.data.status_url ?? `${requestOf(order)}/status`,
  clipAt: (order) => order.data.response_url ?? requestOf(order),
  cancelAt: (order) => ({
    method: 'PUT',
    path: order.data.cancel_url ?? `${requestOf(order)}/cancel`,
  }),
  // A failed order is `COMPLETED`, with an error.
  reread: (job, { error = null, error_type: kind = null }) =>
    job.meaning === 'done' && (error ?? kind) !== null ? { ...job, meaning: 'failed' } : job,
  checkAt: (model) => `${requestOf({ model, id: '00000000-0000-4000-8000-000000000000' })}/status`,
  hasListPerModel: true,
  find: {
    by: 'list',
    host: { of: /^https:\/\/queue\.(fal\.run|falrun\.com)$/, url: 'https://api.fal.ai' },
    path: ({ model, since }) =>
      `/v1/models/requests/by-endpoint?endpoint_id=${encodeURIComponent(model)}` +
      `&start=${encodeURIComponent(since.toISOString())}&expand=payloads&limit=100`,
    pageSize: 100,
    onePage: true,
    names: { id: 'request_id', time: 'sent_at', input: 'json_input' },
    // It is sorted by the end of orders; whether running ones are in it is not known.
    showsRunning: false,
  },
}
