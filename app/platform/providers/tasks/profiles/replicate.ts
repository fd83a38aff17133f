import { hours } from '~/lib/time'
import type { Profile } from '../profile'

const pathOf = (id: string) => `/v1/predictions/${encodeURIComponent(id)}`

/** Replicate. Models differ in their inputs: these are the most common names. */
export const replicate: Profile = {
  url: 'https://api.replicate.com',
  keyWord: 'Bearer',
  modelForm: { form: /^\w[\w.-]*\/\w[\w.-]*$/, example: 'google/veo-3.1' },
  seconds: [4, 5, 6, 8, 10],
  hasNegativePrompt: () => false,
  pictures: 'none',
  hasSound: false,
  // Input and output are deleted after an hour.
  clipsKeptMs: hours(1),
  order: ({ model, prompt, ratio, seconds }) => ({
    path: `/v1/models/${model}/predictions`,
    body: { input: { prompt, aspect_ratio: ratio, duration: seconds } },
  }),
  extraIn: 'input',
  idAt: ['id'],
  askAt: ({ id }) => pathOf(id),
  cancelAt: ({ id }) => ({ method: 'POST', path: `${pathOf(id)}/cancel` }),
  // It waits for a machine.
  reread: (job) => (job.word === 'starting' ? { ...job, meaning: 'queued' } : job),
  checkAt: () => '/v1/predictions',
  find: {
    by: 'list',
    path: () => '/v1/predictions',
    onePage: true,
    names: { id: 'id', time: 'created_at', input: 'input' },
    showsRunning: true,
  },
}
