import type { Profile } from '../profile'
import { generations } from './generations'

const askAt = (id: string) => `/v2/video/generations?generation_id=${encodeURIComponent(id)}`

/** Gateways with `/v2/video/generations`, such as aimlapi and CometAPI: an order is asked for by a query. */
export const generationsV2: Profile = {
  ...generations,
  order: (wish) => ({ ...generations.order(wish), path: '/v2/video/generations' }),
  askAt: ({ id }) => askAt(id),
  checkAt: () => askAt('00000000-0000-4000-8000-000000000000'),
}
