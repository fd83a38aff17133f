import { days } from '~/lib/time'
import type { Profile, Wish } from '../profile'

const PATH = '/api/v3/contents/generations/tasks'
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`

/** The texts and pictures of an order, in the form that MiniMax has as well. */
export const contentOf = ({ prompt, picture, endPicture }: Wish): readonly object[] => [
  { type: 'text', text: prompt },
  ...frame(picture, 'first_frame'),
  ...frame(endPicture, 'last_frame'),
]

const frame = (url: string | null, role: string): readonly object[] =>
  url === null ? [] : [{ type: 'image_url', image_url: { url }, role }]

/** BytePlus ModelArk: Seedance. Its list has no prompts: it shows only that there is no lost order. */
export const ark: Profile = {
  url: 'https://ark.ap-southeast.bytepluses.com',
  keyWord: 'Bearer',
  seconds: [4, 5, 6, 8, 10],
  hasNegativePrompt: () => false,
  pictures: 'same-model',
  hasEndPictures: true,
  hasSound: true,
  clipsKeptMs: days(1),
  order: (wish) => ({
    path: PATH,
    body: {
      model: wish.model,
      content: contentOf(wish),
      ratio: wish.ratio,
      resolution: '720p',
      duration: wish.seconds,
      seed: wish.seed,
      generate_audio: wish.sound,
      watermark: false,
    },
  }),
  idAt: ['id'],
  askAt: ({ id }) => pathOf(id),
  checkAt: () => PATH,
  find: {
    by: 'list',
    path: () => PATH,
    onePage: true,
    names: { id: 'id', time: 'created_at' },
    showsRunning: true,
  },
}
