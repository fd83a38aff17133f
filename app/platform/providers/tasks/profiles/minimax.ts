import { days } from '~/lib/time'
import type { Profile } from '../profile'
import { contentOf } from './ark'

const ASK = '/v2/query/video_generation'
const PAGE = 100

/** MiniMax H3. Its list has no prompts: it shows only that there is no lost order. */
export const minimax: Profile = {
  url: 'https://api.minimax.io',
  keyWord: 'Bearer',
  seconds: [5, 6, 8, 10, 15],
  hasNegativePrompt: () => false,
  pictures: 'same-model',
  hasEndPictures: true,
  hasSound: false,
  // Not in our facts. Too long a time costs only requests.
  clipsKeptMs: days(1),
  order: (wish) => ({
    path: '/v2/video_generation',
    body: {
      model: wish.model,
      content: contentOf(wish),
      resolution: '768P',
      duration: wish.seconds,
      ratio: wish.ratio,
    },
  }),
  idAt: ['task_id'],
  askAt: ({ id }) => `${ASK}/${encodeURIComponent(id)}`,
  checkAt: () => `${ASK}?page_num=1&page_size=1`,
  find: {
    by: 'list',
    path: ({ page }) => `${ASK}?page_num=${page}&page_size=${PAGE}`,
    pageSize: PAGE,
    names: { id: 'task_id', time: 'created_at' },
    showsRunning: true,
  },
}
