import { matchPath } from '@remix-run/react'
import { z } from 'zod'
import { AppError } from '~/domain/errors'
import { findAccess, type ACCESS, type RoutePath } from '../../access/access'
import { publicCall, type Args, type Call } from '../api.server'
import { accountCalls } from './account.server'
import { collectionsCalls } from './collections.server'
import { promptsCalls } from './prompts.server'
import { tokensCalls } from './tokens.server'
import { usersCalls } from './users.server'
import { videosCalls } from './videos.server'

/** Calls that are answered before Remix, because they are polled or send files. */
type ServedByExpress =
  | '/api/videos'
  | '/api/videos/changes'
  | '/api/videos/archive'
  | '/api/videos/:videoId/status'
  | '/api/videos/:videoId/download'
  | '/api/batches'

type CallPath = Exclude<Extract<RoutePath, `/api/${string}`>, ServedByExpress | '/api/*'>

/** What the access table demands: a row for each method of each path, for those who may use it. */
type Table = {
  [Path in CallPath as `${keyof (typeof ACCESS)[Path] & string} ${Path}`]: Call<
    (typeof ACCESS)[Path][keyof (typeof ACCESS)[Path]] & Call['who']
  >
}

/**
 * The JSON calls: method and path, who may use it, the schema of the body, the command and its answer.
 * The compiler compares the rows with the access table, a test compares `docs/api.md` with both.
 */
const CALLS = {
  ...accountCalls,
  ...promptsCalls,
  ...videosCalls,
  ...collectionsCalls,
  ...tokensCalls,
  ...usersCalls,
} as const satisfies Table

const calls = new Map<string, Call>(Object.entries(CALLS))

/** The paths of the calls, for the check of the access table. */
export const callPaths: readonly string[] = [
  ...new Set([...calls.keys()].map((name) => name.slice(name.indexOf(' ') + 1))),
]

const unknownCall = publicCall(z.unknown(), async () => {
  throw new AppError('NOT_FOUND', 'There is no such call')
})

/** Answers a call, or says that there is none. The access table has admitted the request. */
export function answerCall(args: Args): Promise<Response> {
  const { pathname } = new URL(args.request.url)
  const path = findAccess(pathname)?.path ?? ''
  const method = args.request.method === 'HEAD' ? 'GET' : args.request.method
  const call = calls.get(`${method} ${path}`)
  if (!call) return unknownCall.respond(args)
  return call.respond({ ...args, params: matchPath(path, pathname)?.params ?? {} })
}
