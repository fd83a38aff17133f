import { days, hours } from '~/lib/time'

export const DIALECT_NAMES = ['openai', 'sglang', 'vllm-omni', 'fastvideo', 'gateway'] as const
export type Dialect = (typeof DIALECT_NAMES)[number]

export type BodyEncoding = 'json' | 'multipart'
export type NegativePrompts = 'native' | 'fold' | 'none'
/** What to do after a lost response: look through the list of orders, order again, or give up. */
export type Ambiguous = 'list' | 'resubmit' | 'fail'

type Traits = {
  /** Supported encodings. The first is the default. */
  encodings: readonly [BodyEncoding, ...BodyEncoding[]]
  /** `own`: runs on the operator's machines; an order costs only time, and a restart loses it. */
  host: 'own' | 'service'
  /** Whether listed orders include their prompt, without which they cannot be told apart. */
  list: 'with-prompt' | 'without-prompt'
  ambiguous: Ambiguous
  negative: NegativePrompts
  framesAt: number | null
  seconds: readonly [number, ...number[]]
  /** How long a finished clip can be fetched. */
  clipsKeptMs: number
  /** Appended to the address of the clip. */
  contentQuery: string
  /** Whether its documents describe `input_reference`, which is sent as a file of a form. */
  takesPictures?: true
  /** Whether the address of the clip serves what is finished of it so far. */
  servesUnfinished?: true
}

const OWN = {
  host: 'own',
  ambiguous: 'resubmit',
  negative: 'native',
  // Wan models were trained at 16 frames a second.
  framesAt: 16,
  seconds: [4, 5, 6, 8],
  // Such servers keep files until an operator deletes them; a restart may remove them earlier.
  clipsKeptMs: days(7),
  contentQuery: '',
} as const

const SERVICE = {
  host: 'service',
  negative: 'fold',
  framesAt: null,
  seconds: [4, 8, 12],
} as const

/**
 * The differences between servers of this protocol: the defaults, unless the operator overrides
 * them.
 */
export const DIALECTS: Readonly<Record<Dialect, Traits>> = {
  openai: {
    ...SERVICE,
    encodings: ['multipart', 'json'],
    list: 'with-prompt',
    ambiguous: 'list',
    // `expires_at` of a finished job is one hour ahead.
    clipsKeptMs: hours(1),
    contentQuery: '?variant=video',
    takesPictures: true,
  },
  // Its multipart form requires a picture.
  sglang: {
    ...OWN,
    encodings: ['json'],
    list: 'without-prompt',
    takesPictures: true,
    servesUnfinished: true,
  },
  'vllm-omni': { ...OWN, encodings: ['multipart'], list: 'with-prompt', takesPictures: true },
  fastvideo: { ...OWN, encodings: ['json', 'multipart'], list: 'with-prompt' },
  // Gateways differ in whether and how they list orders. An operator who knows may configure it.
  gateway: {
    ...SERVICE,
    encodings: ['json', 'multipart'],
    list: 'with-prompt',
    ambiguous: 'fail',
    // Gateways do not document this. Too long a time costs only requests.
    clipsKeptMs: days(1),
    contentQuery: '',
  },
}
