import { z } from 'zod'

/** What a request is for; rules and the journal speak of these. */
export const OPERATIONS = [
  'submit',
  'poll',
  'content',
  'list',
  'delete',
  'token',
  'check',
  'object',
] as const
export type Operation = (typeof OPERATIONS)[number]

export const FAMILIES = ['vertex', 'gcs', 'oauth', 'openai', 'runway'] as const
export type Family = (typeof FAMILIES)[number]

/** What may go wrong between two machines, whatever they say to each other. */
export const FAULTS = [
  // Orders: the connection is cut before or after the order was taken.
  'drop-before-accept',
  'drop-after-accept',
  // The order is taken and gets the id of an earlier order of the account.
  'same-id',
  // Any answer.
  'reset',
  'half-headers',
  'half-json',
  'empty',
  'html',
  'big-json',
  'hang',
  // Clips.
  'truncate',
  'stall',
  'wrong-type',
  'no-bytes',
  'oversize',
  'corrupt',
  'expired-url',
  'ignore-range',
  'wrong-length',
] as const

const span = z.union([z.number().nonnegative(), z.tuple([z.number(), z.number()])])

/** What an order comes to, other than a clip. */
export const OUTCOMES = [
  'clip',
  'filtered',
  'audio-filtered',
  'op-error',
  'failed',
  'empty',
  'never',
  'forgotten',
  'strange-word',
  'backwards',
  'cancelled',
] as const

export const actionSchema = z
  .object({
    /** An error answer with this status, in the family's own form. */
    status: z.number().int(),
    /** With `status` on a submit: the order is taken all the same. */
    after: z.literal('accept'),
    /** The canonical status, code or failure code. */
    code: z.union([z.string(), z.number()]),
    reason: z.string(),
    message: z.string(),
    /** The error as a proxy's page instead of the family's form. */
    html: z.literal(true),
    /** Seconds, or `date`: a date seven seconds ahead. */
    retryAfter: z.union([z.number(), z.literal('date')]),
    retryInfoSeconds: z.number(),
    fault: z.enum(FAULTS),
    /** For `truncate` and `stall`. */
    atByte: z.number().int().nonnegative(),
    /** `cut`: the connection breaks; `clean-end`: it ends as if all were there. */
    how: z.enum(['cut', 'clean-end']),
    outcome: z.enum(OUTCOMES),
    supportCode: z.string(),
    generationMs: span,
    latencyMs: span,
    /** Between headers and body. */
    bodyLatencyMs: span,
    bytesPerSecond: z.number().positive(),
    bytes: z.number().int().positive(),
  })
  .partial()
  .strict()
export type Action = z.output<typeof actionSchema>

const ruleSchema = z
  .object({
    when: z
      .object({
        op: z.enum(OPERATIONS),
        family: z.enum(FAMILIES),
        promptIncludes: z.string(),
        token: z.string(),
        orderId: z.string(),
        /** Only the n-th request that fits the rest, counted from 1. */
        nth: z.number().int().positive(),
      })
      .partial()
      .strict()
      .default({}),
    /** How often the rule may act. */
    times: z.number().int().positive().optional(),
    do: actionSchema,
  })
  .strict()

const tokenSchema = z
  .object({
    dieAfterCalls: z.number().int().nonnegative(),
    expiresInMs: z.number().nonnegative(),
    dead: z.literal(true),
    /** Dead for these only. */
    onlyFor: z.array(z.enum(OPERATIONS)),
    /** Refused, but not as a dead token: 403 with this reason. */
    status: z.literal(403),
    reason: z.string(),
  })
  .partial()
  .strict()
export type TokenRule = z.output<typeof tokenSchema>

export const scenarioSchema = z
  .object({
    seed: z.number().int().default(7),
    defaults: z
      .object({
        generationMs: span.default([60_000, 150_000]),
        submitLatencyMs: span.default(0),
        pollLatencyMs: span.default(0),
        /** Clips are filled up to this size. */
        bytes: z.number().int().nonnegative().default(0),
        /** How fast clips are sent, whole ones and parts; without it as fast as they go. */
        bytesPerSecond: z.number().positive().optional(),
        expiresIn: z.number().positive().default(3_599),
      })
      .strict()
      .default({}),
    quota: z
      .object({
        submitsPerMinute: z.number().int().positive().optional(),
        maxInFlight: z.number().int().positive().optional(),
      })
      .strict()
      .default({}),
    tokens: z.record(tokenSchema).default({}),
    /** Only the tokens named in `tokens`, and minted ones, are let in. */
    knownTokensOnly: z.boolean().default(false),
    /** Which account a token belongs to; tokens not named here fit any. */
    accounts: z.record(z.string()).default({}),
    /** Model ids that are gone. */
    goneModels: z.array(z.string()).default([]),
    /** What the vLLM-Omni dialect serves. */
    servedModel: z.string().default('Wan-AI/Wan2.2-T2V-A14B-Diffusers'),
    /**
     * How orders of /v1/videos name their prompts: as they were parsed from the request; tidied up,
     * with white space trimmed and in single spaces and letters composed; cut after 40 characters; not.
     */
    prompts: z.enum(['as-parsed', 'tidied', 'cut', 'none']).default('as-parsed'),
    /** The server ends every kept connection at its second request. */
    staleKeepAlive: z.boolean().default(false),
    rules: z.array(ruleSchema).default([]),
  })
  .strict()
export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioInput = z.input<typeof scenarioSchema>
export type Span = z.output<typeof span>

export type Facts = {
  op: Operation
  family: Family
  prompt: string | null
  token: string | null
  orderId: string | null
}

/** Finds the rule for each request: the first that fits and is not spent. */
export function openRules(scenario: Scenario): (facts: Facts) => Action {
  const seen = scenario.rules.map(() => ({ fits: 0, acted: 0 }))
  return (facts) => {
    for (const [at, rule] of scenario.rules.entries()) {
      const count = seen[at]!
      if (!fits(rule.when, facts)) continue
      count.fits += 1
      if (rule.when.nth !== undefined && count.fits !== rule.when.nth) continue
      if (rule.times !== undefined && count.acted >= rule.times) continue
      // What an order comes to is decided when it is taken.
      if (rule.do.outcome !== undefined && facts.op !== 'submit') continue
      count.acted += 1
      return rule.do
    }
    return {}
  }
}

function fits(when: Scenario['rules'][number]['when'], facts: Facts): boolean {
  return (
    (when.op === undefined || when.op === facts.op) &&
    (when.family === undefined || when.family === facts.family) &&
    (when.token === undefined || when.token === facts.token) &&
    (when.orderId === undefined || when.orderId === facts.orderId) &&
    (when.promptIncludes === undefined || (facts.prompt ?? '').includes(when.promptIncludes))
  )
}

/** Numbers that are the same on every run (mulberry32). */
export function openRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number inside a span. */
export function within(value: Span, random: () => number): number {
  if (typeof value === 'number') return value
  const [from, to] = value
  return Math.round(from + (to - from) * random())
}
