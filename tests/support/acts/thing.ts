import type { UserCtx } from '../../../app/domain/context'
import type { World } from './world'

/**
 * Does something to a thing through the product's own commands, at the moment of the test's clock. A refusal
 * is thrown as an AppError. What the command answers is compared with what it has stored.
 */
export type Act<Subject> = (world: World, subject: Subject) => Promise<unknown>

/** What a row of refusals says of pairs that are done, before a row of `any`. */
export const DONE = 'done'

/** Which acts are refused after others, and what is said then. */
export type Refusal<Name extends string> = {
  /** What came first: an act, or what the thing is. `any`: everything that does not stand in another row. */
  after: readonly Name[] | 'any'
  then: readonly Name[]
  says: string
}

/**
 * Something that features of the product act on. Tests of pairs of acts (tests/engine/pairs) are generated
 * from it.
 */
export type Thing<Subject, Name extends string, Trait extends string> = {
  /** Makes one that belongs to a person. May be refused. */
  open: (world: World, person: UserCtx, traits: ReadonlySet<Trait>) => Promise<Subject>
  /** What it may be, each of which is a feature of its own. */
  traits: readonly Trait[]
  acts: Record<Name, Act<Subject>>
  /** Returns what is stored about it. An act that is refused changes none of it. */
  stored: (world: World, subject: Subject) => Promise<unknown>
  /** Fails where a page or a call shows something else than what is stored. */
  agrees: (world: World, subject: Subject) => Promise<void>
  /** The pairs whose second act is refused. All others are done. */
  refusals: readonly Refusal<Name | Trait>[]
}
