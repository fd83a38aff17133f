import { asObject, type Exchange, type Incoming, type Reply } from './exchange'
import { compact, objectIn, textOf } from './json'
import { hashOf } from './orders'
import type { Call, Spelling } from './simulation'
import { authorise, scriptedError } from './simulation'
import type { Route } from './routes'

// Chat completions, as OpenAI and many others serve them, for a service that rewrites prompts. A rule's
// `message` replaces the content of the answer and `reason` its finish_reason.

const BASE = '/texts/v1'
export const TEXT_MODEL = 'small-writer'

const error = (status: number, message: string, code: string | null = null): Reply =>
  compact(status, {
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code,
    },
  })

const CODES: Readonly<Record<number, string>> = {
  402: 'insufficient_balance',
  429: 'rate_limit_exceeded',
}

const spelling: Spelling = {
  unauthorized: (why) =>
    error(
      401,
      why === 'missing' ? "You didn't provide an API key." : 'Incorrect API key provided.',
      'invalid_api_key',
    ),
  forbidden: (reason, message) => error(403, message, reason),
  error: (status, { message, code }) =>
    error(status, message ?? 'The request failed.', String(code ?? CODES[status] ?? '') || null),
  quota: () => error(429, 'Rate limit reached for requests.', 'rate_limit_exceeded'),
}

const callOf = (exchange: Exchange): Call => ({ ...exchange, spelling })

/** Returns the route of a request to the text service; null for others. */
export function routeOf(incoming: Incoming): Route | null {
  const family = 'texts'
  const prompt = JSON.stringify(objectIn(incoming)?.messages ?? '')
  switch (`${incoming.method} ${incoming.url.pathname}`) {
    case `POST ${BASE}/chat/completions`:
      return { family, op: 'submit', prompt, respond: complete }
    case `GET ${BASE}/models`:
      return { family, op: 'check', respond: models }
    default:
      return null
  }
}

function models(exchange: Exchange): Reply {
  authorise(callOf(exchange))
  const scripted = scriptedError(callOf(exchange), exchange.action)
  if (scripted) return scripted
  const data = [{ id: TEXT_MODEL, object: 'model', created: 1_700_000_000, owned_by: 'simulator' }]
  return compact(200, { object: 'list', data })
}

/** An accepted request costs money, so the ledger has it before the answer is sent. */
async function complete(exchange: Exchange): Promise<Reply> {
  const { simulation, incoming, action } = exchange
  const call = callOf(exchange)
  const token = authorise(call)
  await simulation.pause(action.latencyMs)
  const scripted = scriptedError(call, action)
  if (scripted) return scripted
  const body = objectIn(incoming)
  const refused = refusalOf(incoming, body)
  if (refused) return refused
  const texts = textsIn(body?.messages)
  const answer = /translate/i.test(JSON.stringify(body?.messages)) ? translated : improved
  const number = simulation.nextNumber()
  exchange.accepted = true
  simulation.orders.note({
    orderId: `chatcmpl-${number}`,
    family: 'texts',
    account: 'texts',
    token,
    prompt: texts.map(({ text }) => text).join('\n'),
    model: textOf(body?.model),
    arrivedAt: incoming.arrivedAt,
  })
  return compact(200, {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: Math.floor(simulation.clock.now() / 1000),
    model: TEXT_MODEL,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: action.message ?? JSON.stringify({ prompts: texts.map(answer) }),
          refusal: null,
        },
        logprobs: null,
        finish_reason: action.reason ?? 'stop',
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  })
}

type Entry = { id: number; text: string }

/** The same text every time: English, or in the language of the prompt. */
const translated = ({ id, text }: Entry): Entry => ({
  id,
  text: /[^\u0000-\u007f]/.test(text) ? `In English: ${hashOf(text)}` : text,
})
const improved = ({ id, text }: Entry): Entry => ({ id, text: `${text}, ${text}` })

const KNOWN = ['model', 'messages', 'response_format', 'temperature', 'max_completion_tokens']
const ROLES = ['system', 'developer', 'user', 'assistant']

/** Returns the refusal of a request that the documented API does not take, or null. */
function refusalOf({ headers }: Incoming, body: Record<string, unknown> | null): Reply | null {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '') || body === null)
    return error(400, 'We could not parse the JSON body of your request.')
  const unknown = Object.keys(body).find((name) => !KNOWN.includes(name))
  if (unknown) return error(400, `Unrecognized request argument supplied: ${unknown}`)
  if (body.model !== TEXT_MODEL)
    return error(
      404,
      `The model \`${textOf(body.model)}\` does not exist or you do not have access to it.`,
      'model_not_found',
    )
  const messages = Array.isArray(body.messages) ? body.messages.map(asObject) : []
  const isMessage = ({ role, content }: Record<string, unknown>) =>
    ROLES.includes(textOf(role)) && textOf(content) !== ''
  if (messages.length === 0 || !messages.every(isMessage))
    return error(400, "Invalid type for 'messages'.")
  const format = asObject(body.response_format ?? { type: 'text' }).type
  if (!['text', 'json_object'].includes(textOf(format)))
    return error(400, "Invalid value for 'response_format'.")
  return format === 'json_object' && !messages.some(({ content }) => /json/i.test(textOf(content)))
    ? error(400, "'messages' must contain the word 'json' in some form, to use 'response_format'.")
    : null
}

/** Reads the texts of the last message of the user. */
function textsIn(messages: unknown): Entry[] {
  const last = Array.isArray(messages) ? asObject(messages.at(-1)) : {}
  const { prompts } = asObject(JSON.parse(textOf(last.content, '{}')))
  return Array.isArray(prompts)
    ? prompts.map(asObject).map(({ id, text }) => ({ id: Number(id), text: textOf(text) }))
    : []
}
