import { z } from 'zod'
import { AppError } from '~/domain/errors'
import { publicCall } from '~/http/endpoints/api.server'

const route = publicCall(z.unknown(), async () => {
  throw new AppError('NOT_FOUND', 'There is no such call')
})
export const loader = route
export const action = route
