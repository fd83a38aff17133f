import { days, hours } from '~/lib/time'
import type { ServiceConfig } from '../io'
import type { AspectRatio } from '../port'

export const DIALECT_NAMES = ['openai', 'sglang', 'vllm-omni', 'fastvideo', 'gateway'] as const
export type Dialect = (typeof DIALECT_NAMES)[number]

export type BodyEncoding = 'json' | 'multipart'
export type NegativePrompts = 'native' | 'fold' | 'none'
/** What to do after a lost answer: look through the list of orders, order again, or give up. */
export type Ambiguous = 'list' | 'resubmit' | 'fail'

export type OpenAiVideosConfig = ServiceConfig & {
  dialect: Dialect
  bodyEncoding: BodyEncoding
  sizes: Readonly<Record<AspectRatio, string>>
  /** Clip lengths the model makes. */
  seconds: readonly [number, ...number[]]
  /** For models that count frames: 4n+1 of them at this rate. Null sends seconds only. */
  framesAt: number | null
  negative: NegativePrompts
  ambiguous: Ambiguous
  /** Further fields of the order, as the server names them. */
  extra: Readonly<Record<string, unknown>>
  expectedMs: number
}

type Traits = {
  /** The first is the usual one. */
  encodings: readonly [BodyEncoding, ...BodyEncoding[]]
  /** Runs on the operator's own machines: an order costs time only, and a restart forgets it. */
  host: 'own' | 'service'
  /** Whether listed orders name their prompt: without it they cannot be told apart. */
  list: 'with-prompt' | 'without-prompt'
  ambiguous: Ambiguous
  negative: NegativePrompts
  framesAt: number | null
  seconds: readonly [number, ...number[]]
  /** How long a finished clip can be fetched. */
  clipsKeptMs: number
  /** Appended to the address of the clip. */
  contentQuery: string
}

const OWN = {
  host: 'own',
  ambiguous: 'resubmit',
  negative: 'native',
  // Wan models were trained at 16 frames a second.
  framesAt: 16,
  seconds: [4, 5, 6, 8],
  // Such servers keep the files until somebody deletes them; a restart may end them sooner.
  clipsKeptMs: days(7),
  contentQuery: '',
} as const

const SERVICE = {
  host: 'service',
  negative: 'fold',
  framesAt: null,
  seconds: [4, 8, 12],
} as const

/** How the servers that speak this protocol differ; what each does unless the operator says else. */
export const DIALECTS: Readonly<Record<Dialect, Traits>> = {
  openai: {
    ...SERVICE,
    encodings: ['multipart', 'json'],
    list: 'with-prompt',
    ambiguous: 'list',
    // `expires_at` of a finished job lies an hour ahead.
    clipsKeptMs: hours(1),
    contentQuery: '?variant=video',
  },
  // Its multipart form demands a picture.
  sglang: { ...OWN, encodings: ['json'], list: 'without-prompt' },
  'vllm-omni': { ...OWN, encodings: ['multipart'], list: 'with-prompt' },
  fastvideo: { ...OWN, encodings: ['json', 'multipart'], list: 'with-prompt' },
  // Whether a gateway lists orders, and how, differs: an operator who knows may ask for it.
  gateway: {
    ...SERVICE,
    encodings: ['json', 'multipart'],
    list: 'with-prompt',
    ambiguous: 'fail',
    // Gateways do not say; to ask too long costs questions only.
    clipsKeptMs: days(1),
    contentQuery: '',
  },
}
