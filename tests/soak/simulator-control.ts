import type { JournalEntry } from '../simulator/server'
import type { LedgerEntry } from '../simulator/ledger'
import type { Action, ScenarioInput } from '../simulator/scenario'

type Rule = NonNullable<ScenarioInput['rules']>[number]

/** The rules that a trouble sets in the simulator while it lasts. */
export type Wish = {
  rules: readonly Rule[]
  /** How the gateway differs from its protocol meanwhile. */
  strange?: ScenarioInput['strange']
  /** Rules with a lower rank are matched first. */
  rank?: number
  /**
   * For rules that apply once or twice: returns whether they applied to a request of the journal.
   */
  met?: (entry: JournalEntry) => boolean
}

export type Entry = LedgerEntry & { arrivedAt?: number }

/** Thrown if this simulator does not support a trouble. */
export class NotKnown extends Error {}

type Held = Wish & { since: number }

/** Controls the simulator in its own process, over HTTP. */
export class SimulatorControl {
  readonly #base: string
  readonly #scenario: ScenarioInput
  readonly #wishes = new Map<string, Held>()
  readonly #downloads = new Map<string, JournalEntry>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(apiUrl: string, scenario: ScenarioInput) {
    this.#base = `${apiUrl}/__simulator`
    this.#scenario = scenario
  }

  /** Sets a trouble's rules, ordered by rank. Throws NotKnown. */
  async play(name: string, wish: Wish): Promise<void> {
    await this.#oneAtATime(async () => {
      this.#wishes.set(name, { ...wish, since: Date.now() })
      if (await this.#send()) return
      this.#wishes.delete(name)
      await this.#send()
      throw new NotKnown(`the simulator knows no ${name}`)
    })
  }

  async end(name: string): Promise<void> {
    await this.#oneAtATime(async () => {
      this.#wishes.delete(name)
      await this.#send()
    })
  }

  /** Returns how many requests came for each accepted order, by its id. */
  requests(): Promise<{ orderId: string; requests: number }[]> {
    return this.#get('orders')
  }

  /** Returns every order accepted so far. */
  ledger(): Promise<Entry[]> {
    return this.#get('ledger')
  }

  /**
   * Reads the journal and stores its downloads. The journal drops its oldest entries, so call this
   * often.
   */
  async readJournal(): Promise<JournalEntry[]> {
    const entries = await this.#get<JournalEntry[]>('journal')
    for (const entry of entries)
      if (entry.op === 'content') this.#downloads.set(JSON.stringify(entry), entry)
    return entries
  }

  /** Returns the number of downloads that began with a clip's first byte, by order. */
  wholeDownloads(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { orderId, status, fault } of this.#downloads.values()) {
      const isWhole = orderId !== null && status === 200 && fault === null
      if (isWhole) counts.set(orderId, (counts.get(orderId) ?? 0) + 1)
    }
    return counts
  }

  /**
   * Setting the rules resets their counts, so rules that have applied as often as wanted are omitted.
   */
  async #send(): Promise<boolean> {
    const journal = await this.readJournal()
    const held = [...this.#wishes.values()].sort(
      (one, other) => (one.rank ?? 5) - (other.rank ?? 5),
    )
    const rules = held.flatMap(({ rules, met, since }) => {
      if (met === undefined) return rules
      const acted = journal.filter((entry) => entry.at >= since && met(entry)).length
      return rules.flatMap((rule) => {
        const left = (rule.times ?? Infinity) - acted
        return left > 0 ? [Number.isFinite(left) ? { ...rule, times: left } : rule] : []
      })
    })
    const response = await fetch(`${this.#base}/scenario`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...this.#scenario,
        strange: Object.assign({}, ...held.map(({ strange = {} }) => strange)) as object,
        rules: [...rules, ...(this.#scenario.rules ?? [])],
      }),
    })
    return response.ok
  }

  async #get<T>(what: string): Promise<T> {
    const response = await fetch(`${this.#base}/${what}`)
    return (await response.json()) as T
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }
}

export type { Action, Rule }
