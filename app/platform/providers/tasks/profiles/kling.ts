import { days } from '~/lib/time'
import { objectOf, textOf } from '../../reading/json'
import type { Profile } from '../profile'

const PATH = '/v1/videos/text2video'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

/** Kling's own service. Each order carries our id, by which a lost one is asked for exactly. */
export const kling: Profile = {
  url: 'https://api.klingai.com',
  keyWord: 'Bearer',
  seconds: [5, 10],
  hasNegativePrompt: () => true,
  // How `image` has to be encoded is not in our facts.
  pictures: 'none',
  hasSound: true,
  clipsKeptMs: days(30),
  order: ({ model, prompt, negativePrompt, ratio, seconds, sound, attemptId }) => ({
    path: PATH,
    body: {
      model_name: model,
      prompt,
      negative_prompt: negativePrompt,
      aspect_ratio: ratio,
      duration: String(seconds),
      mode: 'std',
      sound: sound === undefined ? null : sound ? 'on' : 'off',
      external_task_id: attemptId,
    },
  }),
  // `request_id` is that of the HTTP request.
  idAt: ['data', 'task_id'],
  askAt: ({ id }) => pathOf(id),
  checkAt: () => `${PATH}?pageNum=1&pageSize=1`,
  find: {
    by: 'client-id',
    path: pathOf,
    ownId: ({ data }) => textOf(objectOf(objectOf(data).task_info).external_task_id),
  },
}
