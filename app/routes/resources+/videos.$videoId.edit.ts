import { editCall } from '~/http/endpoints/calls/videos.server'

export const action = editCall.respond
