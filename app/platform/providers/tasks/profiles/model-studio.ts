import { days } from '~/lib/time'
import type { Profile, Wish } from '../profile'

const pathOf = (id: string) => `/api/v1/tasks/${encodeURIComponent(id)}`

/** Models up to Wan 2.6 are told a size, later ones and those of other makers a resolution and a ratio. */
const shapeOf = ({ model, ratio }: Wish) =>
  /^wanx?-?(1|2(\.[0-6])?($|[^\d.]))/i.test(model)
    ? { size: ratio === '9:16' ? '720*1280' : '1280*720' }
    : { resolution: '720P', ratio }

/**
 * Alibaba Model Studio: Wan, HappyHorse, PixVerse, Vidu and Kling under one protocol. An order that has
 * expired or never existed is `UNKNOWN`, with status 200.
 */
export const modelStudio: Profile = {
  keyWord: 'Bearer',
  seconds: [5, 8, 10],
  hasNegativePrompt: () => true,
  // What `media` needs for each model is not in our facts.
  pictures: 'none',
  hasSound: true,
  // Its order is known for a day.
  clipsKeptMs: days(1),
  order: (wish) => ({
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    headers: { 'x-dashscope-async': 'enable' },
    body: {
      model: wish.model,
      input: {
        prompt: wish.prompt,
        ...(wish.negativePrompt !== null && { negative_prompt: wish.negativePrompt }),
      },
      parameters: {
        ...shapeOf(wish),
        duration: wish.seconds,
        seed: wish.seed,
        audio: wish.sound,
        watermark: false,
      },
    },
  }),
  extraIn: 'parameters',
  idAt: ['output', 'task_id'],
  askAt: ({ id }) => pathOf(id),
  cancelAt: ({ id }) => ({ method: 'POST', path: `${pathOf(id)}/cancel` }),
  goneWord: 'UNKNOWN',
  checkAt: () => pathOf('00000000-0000-4000-8000-000000000000'),
  // Its query by time is documented; its form is not in our facts.
  find: null,
}
