import { randomBytes } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import { AppError } from '~/domain/errors'
import { figure } from '~/lib/figures'
import { newId } from '~/lib/ids'
import { LONGEST_PATH, paths } from '~/lib/paths'
import { excerpt } from '~/lib/text'
import { findAccess, methodsOf, type Method, type RoutePath } from './access'
import type { LoadContext } from '../session/load-context'
import { isOwnSite } from './origin.server'

// Checks that apply to every request and run before authentication.

const MEGABYTE = 1024 * 1024
/** For a report of a payment: a picture of 2 MB, and the other fields. */
const PICTURE_MEGABYTES = 3
/**
 * For a picture of a video. More than it may have, because a picture that is a little too large is refused
 * in words, and what was typed beside it is kept.
 */
const VIDEO_PICTURE_MEGABYTES = 16
/** For the pictures of a batch, and the prompts beside them. */
const BATCH_PICTURES_MEGABYTES = 32
/** Methods that change no data. */
export const READS = new Set(['GET', 'HEAD'])
const WRITES = new Set<string>(['POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[])

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how Express lets its locals be typed
  namespace Express {
    // eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- merging needs an interface
    interface Locals {
      context: LoadContext
    }
  }
}

/** Allowed format of a proxy's request id: no characters that could break a log line. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/**
 * Gives the request its id, its nonce and an empty context. The id that a trusted proxy sent is
 * kept, so that its log and the product's use the same id.
 */
export function identify(believesProxy: boolean) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const given = believesProxy ? (req.get('x-request-id') ?? '') : ''
    const requestId = REQUEST_ID.test(given) ? given : newId()
    res.locals.context = {
      requestId,
      nonce: randomBytes(16).toString('base64'),
      address: req.ip ?? '',
      token: null,
      apiKey: takeBearer(req),
      device: null,
      invitedBy: null,
      visitor: null,
      program: null,
      failure: { unavailable: false },
    }
    res.setHeader('X-Request-Id', requestId)
    next()
  }
}

/**
 * Returns the API key of a request, valid or not, or null. The request then loses its cookies, before
 * anything reads them. Other bearer tokens are not ours: a proxy may add its own.
 */
function takeBearer({ headers }: Request): string | null {
  const key = /^bearer +(rm_\S*) *$/i.exec(headers.authorization ?? '')?.[1] ?? null
  if (key !== null) delete headers.cookie
  return key
}

/**
 * Returns why a request that was refused has no API key, if it seems to have meant to send one, or null.
 */
export function keyProblem({ headers }: Request): string | null {
  const said = headers.authorization?.trim() ?? ''
  const own = ['x-api-key', 'api-key', 'apikey'].some((name) => headers[name] !== undefined)
  if (said === '') return own ? HOW_TO_SEND : null
  if (!/^bearer\b/i.test(said)) return HOW_TO_SEND
  const key = said.slice('bearer'.length).trim()
  if (key === '') return 'There is no API key after “Bearer”: is the variable empty?'
  const [variable] = /\$\{?\w+\}?|%\w+%|\{\{[^{}]*\}\}/.exec(key) ?? []
  if (variable !== undefined)
    return `The variable ${excerpt(variable, 40)} was not replaced by the API key: in a shell, use double quotes`
  return /^["'“‘<]/.test(key) ? `Send the API key without quotes: ${AS_BEARER}` : NO_KEY
}

const AS_BEARER = 'Authorization: Bearer rm_…'
const HOW_TO_SEND = `Send the API key as ${AS_BEARER}`
const NO_KEY = `This is not an API key: API keys begin with rm_`

/**
 * Percent-encoded characters that mean the same when decoded (RFC 3986 §2.3), and encoded slashes,
 * which would give another path once decoded.
 */
const NEEDLESS_ESCAPE = /%(?:2[def]|3\d|[46][1-9a-f]|[57][0-9a]|5[cf]|7e)/i

/** No id, token or name in a path contains a control character, and PostgreSQL accepts no NUL in a text. */
const CONTROL_CHARACTER = /%(?:[01][0-9a-f]|7f)/i

const isHost = (host = 'own') => URL.canParse(`http://${host}`) && !/[/\\?#@]/.test(host)

/**
 * Refuses paths with control characters, and those that are not in their canonical spelling, because the
 * access table, Express and Remix each interpret other spellings differently. Throws NOT_FOUND, BAD_INPUT
 * for an invalid URL or Host, or two Hosts (RFC 9112 §3.2), or ADDRESS_TOO_LONG: a response may redirect to the same address.
 */
export function checkAddress(req: Request, _res: Response, next: NextFunction): void {
  const { host } = req.headers
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host')
  if (!req.url.startsWith('/') || !isHost(host) || hosts.length > 1)
    throw new AppError('BAD_INPUT', 'This address cannot be read')
  if (req.url.length > LONGEST_PATH)
    throw new AppError(
      'ADDRESS_TOO_LONG',
      `This address is longer than ${figure(LONGEST_PATH)} characters`,
    )
  const isPlain =
    !req.path.startsWith('//') && new URL(req.path, 'http://own').pathname === req.path
  const isOneCase = findAccess(req.path)?.path === findAccess(req.path.toLowerCase())?.path
  const isUnused = NEEDLESS_ESCAPE.test(req.path) || CONTROL_CHARACTER.test(req.path)
  if (!isPlain || !isOneCase || isUnused) throw new AppError('NOT_FOUND', 'There is nothing here')
  // It looks like a call, so a program gets JSON, as for every call that does not exist.
  if (req.path === '/api') throw new AppError('NOT_FOUND', 'There is no such call')
  next()
}

const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i
/** Returns whether scripts, programs or browsers send JSON to this path. */
const takesJson = (path: string) =>
  path.startsWith('/api/') || path.startsWith('/resources/videos/') || path === '/csp-reports'

/**
 * Refuses what no route accepts: unknown methods, writes from other sites, bodies of unknown length
 * or above 1 MB, with the screenshot of a payment 3 MB, with that of a video 16 MB and with those of a batch
 * 32 MB, if they are offered. A request with an API key may come from anywhere: no browser adds the key by
 * itself.
 */
export function checkShape(publicHost: string, { takesPictures }: { takesPictures: boolean }) {
  return (req: Request, res: Response, next: NextFunction): void => {
    if (READS.has(req.method)) return next()
    if (!WRITES.has(req.method)) {
      res.setHeader('Allow', methodsOf(findAccess(req.path)?.entry ?? {}))
      throw new AppError('METHOD_NOT_ALLOWED', 'This method is not allowed here')
    }
    if (res.locals.context.apiKey === null && !isOwnSite(req.headers, publicHost)) {
      throw new AppError(
        'CROSS_SITE',
        'This request came from another site and was not carried out',
      )
    }
    if (req.headers['transfer-encoding'] !== undefined) {
      throw new AppError('LENGTH_REQUIRED', 'Send the length of the body')
    }
    const most = megabytesOf(req, takesPictures)
    if (Number(req.headers['content-length'] ?? 0) > most * MEGABYTE) {
      throw new AppError('TOO_LARGE', `The request is larger than ${most} MB`)
    }
    next()
  }
}

function megabytesOf({ path, query }: Request, takesPictures: boolean): number {
  if (path === paths.paid) return PICTURE_MEGABYTES
  if (!takesPictures) return 1
  if (path === paths.list) return BATCH_PICTURES_MEGABYTES
  if (PICTURE_CALLS.has(path)) return VIDEO_PICTURE_MEGABYTES
  if (path !== paths.app) return 1
  if (query.tab === 'bulk') return BATCH_PICTURES_MEGABYTES
  return query.tab === 'image' ? VIDEO_PICTURE_MEGABYTES : 1
}

/** Calls of programs whose pictures are text in JSON. */
const PICTURE_CALLS = new Set<string>([
  '/api/videos/generate',
  '/api/videos/bulk-generate',
] satisfies RoutePath[])

/**
 * Refuses a body that is not form data where a route expects a form. Runs after the access check.
 */
export function checkForm(req: Request, _res: Response, next: NextFunction): void {
  const isEmpty = Number(req.headers['content-length'] ?? 0) === 0
  if (!isEmpty && !takesJson(req.path) && !FORM_TYPE.test(req.headers['content-type'] ?? ''))
    throw new AppError('UNSUPPORTED', 'This address accepts form data only')
  next()
}
