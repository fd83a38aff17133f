import { z } from 'zod'
import { strangeSchema } from './strange'

/** The kinds of requests. Rules and the journal use these names. */
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

export const FAMILIES = [
  'vertex',
  'gcs',
  'oauth',
  'openai',
  'runway',
  'tasks',
  'comfyui',
  'texts',
] as const
export type Family = (typeof FAMILIES)[number]

/** Faults of the network and of any server, independent of the protocol. */
export const FAULTS = [
  // Orders: the connection is cut before or after the order is accepted.
  'drop-before-accept',
  'drop-after-accept',
  // The order is accepted and gets the id of an earlier order of the account.
  'same-id',
  // Any response.
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
  /** A document labelled as a clip. */
  'json',
  'oversize',
  'corrupt',
  'expired-url',
  'ignore-range',
  'wrong-length',
] as const

const span = z.union([z.number().nonnegative(), z.tuple([z.number(), z.number()])])

/** The results of orders. */
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
    /** An error response with this status, in the family's own format. */
    status: z.number().int(),
    /** With `status` on a submit: the order is accepted nevertheless. */
    after: z.literal('accept'),
    /** The canonical status, code or failure code. */
    code: z.union([z.string(), z.number()]),
    reason: z.string(),
    message: z.string(),
    /** The error as a proxy's page instead of the family's format. */
    html: z.literal(true),
    /** Seconds, or `date`: a date seven seconds ahead. Other texts are sent as they are. */
    retryAfter: z.union([z.number(), z.string()]),
    retryInfoSeconds: z.number(),
    fault: z.enum(FAULTS),
    /** For `truncate` and `stall`. */
    atByte: z.number().int().nonnegative(),
    /** `cut`: the connection breaks; `clean-end`: it ends as if the clip were complete. */
    how: z.enum(['cut', 'clean-end']),
    outcome: z.enum(OUTCOMES),
    supportCode: z.string(),
    generationMs: span,
    latencyMs: span,
    /** Latency between headers and body. */
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
        /** Only the n-th request that matches the rest, counted from 1. */
        nth: z.number().int().positive(),
      })
      .partial()
      .strict()
      .default({}),
    /** How often the rule may apply. */
    times: z.number().int().positive().optional(),
    do: actionSchema,
  })
  .strict()

const tokenSchema = z
  .object({
    dieAfterCalls: z.number().int().nonnegative(),
    expiresInMs: z.number().nonnegative(),
    dead: z.literal(true),
    /** Dead only for these operations. */
    onlyFor: z.array(z.enum(OPERATIONS)),
    /** Refused with 403 and this reason, not as a dead token. */
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
        /** Clips are padded to this size. */
        bytes: z.number().int().nonnegative().default(0),
        /** Speed at which clips and parts of them are sent; unlimited by default. */
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
    /** Accepts only the tokens named in `tokens`, and issued ones. */
    knownTokensOnly: z.boolean().default(false),
    /** The account of each token. A token that is not named fits any account. */
    accounts: z.record(z.string()).default({}),
    /** Ids of models that no longer exist. */
    goneModels: z.array(z.string()).default([]),
    /** The model that the vLLM-Omni dialect serves. */
    servedModel: z.string().default('Wan-AI/Wan2.2-T2V-A14B-Diffusers'),
    /**
     * How orders of /v1/videos include their prompts: as parsed from the request; tidied, with
     * white space trimmed and collapsed and letters composed; cut after 40 characters; not at all.
     */
    prompts: z.enum(['as-parsed', 'tidied', 'cut', 'none']).default('as-parsed'),
    /** How a gateway differs from the protocol that it speaks. */
    strange: strangeSchema.default({}),
    /** The server closes every kept-alive connection at its second request. */
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

/**
 * Returns a function that finds the action for a request: that of the first rule that matches and
 * is not used up.
 */
export function openRules(scenario: Scenario): (facts: Facts) => Action {
  const seen = scenario.rules.map(() => ({ fits: 0, acted: 0 }))
  return (facts) => {
    for (const [at, rule] of scenario.rules.entries()) {
      const count = seen[at]!
      if (!fits(rule.when, facts)) continue
      count.fits += 1
      if (rule.when.nth !== undefined && count.fits !== rule.when.nth) continue
      if (rule.times !== undefined && count.acted >= rule.times) continue
      // The outcome of an order is decided when it is accepted.
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

/** Returns a random generator that repeats its numbers for the same seed (mulberry32). */
export function openRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a number inside a span. */
export function within(value: Span, random: () => number): number {
  if (typeof value === 'number') return value
  const [from, to] = value
  return Math.round(from + (to - from) * random())
}
