import { matchPath } from '@remix-run/react'
import { z } from 'zod'
import { webBoot } from '~/boot/web.server'
import { AppError } from '~/domain/errors'
import { findAccess, type ACCESS, type Principal, type RoutePath } from '../../access/access'
import { createCookies } from '../../session/cookies.server'
import { publicCall, type Args, type Call, type CallFacts } from '../api.server'
import { accountCalls } from './account.server'
import { batchesCalls } from './batches.server'
import { collectionsCalls } from './collections.server'
import { openApi, type DescribedCall } from './openapi.server'
import { promptsCalls } from './prompts.server'
import { SERVED_BEFORE } from './served-before.server'
import { tokensCalls } from './tokens.server'
import { usersCalls } from './users.server'
import { editCall, videosCalls } from './videos.server'

type CallPath = Exclude<Extract<RoutePath, `/api/${string}`>, '/api/*'>

/** What the access table demands: a row for each method of each path, for those who may use it. */
type Demanded = {
  [Path in CallPath as `${keyof (typeof ACCESS)[Path] & string} ${Path}`]: Call<
    (typeof ACCESS)[Path][keyof (typeof ACCESS)[Path]] & Call['who']
  >
}

const nameOfSession = () => createCookies(webBoot().env).session.name
let document: ReturnType<typeof openApi> | undefined

const documentCall = {
  'GET /api/openapi.json': publicCall({
    says: 'This description of the calls, as OpenAPI 3.1',
    answer: z.object({ openapi: z.string() }).passthrough(),
    run: async () => (document ??= openApi(describedCalls(), nameOfSession())),
  }),
}

/**
 * The JSON calls: method and path, who may use it, the schemas of what it takes and answers, and the
 * command. The compiler compares the rows with the access table; docs/api.md and the OpenAPI document are
 * made from them.
 */
const CALLS = {
  ...accountCalls,
  ...promptsCalls,
  ...videosCalls,
  ...batchesCalls,
  ...collectionsCalls,
  ...tokensCalls,
  ...usersCalls,
  ...documentCall,
} as const satisfies Omit<Demanded, keyof typeof SERVED_BEFORE>

const calls = new Map<string, Call>(Object.entries(CALLS))

/** The paths of the calls, for the check of the access table. */
export const callPaths: readonly string[] = [
  ...new Set([...calls.keys()].map((name) => name.slice(name.indexOf(' ') + 1))),
]

/** What programs are told of each call: those of this table and the others. */
export function describedCalls(): DescribedCall[] {
  const facts: [string, CallFacts][] = [
    ...Object.entries(SERVED_BEFORE),
    ...[...calls].map(([name, call]): [string, CallFacts] => [name, call.facts]),
    ['POST /resources/videos/:videoId/edit', editCall.facts],
  ]
  return facts.map(([name, call]) => ({ ...call, name, who: principalOf(name) }))
}

/** Returns who may use a call, as the access table says. */
function principalOf(name: string): Principal {
  const [method, path] = name.split(' ')
  const entry: Partial<Record<string, Principal>> = findAccess(path ?? '')?.entry ?? {}
  return entry[method ?? ''] ?? 'admin'
}

const unknownCall = publicCall({
  says: 'Refuses any other call',
  answer: z.never(),
  run: async () => {
    throw new AppError('NOT_FOUND', 'There is no such call')
  },
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
