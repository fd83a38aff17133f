import type { JsonObject } from '../reading/json'
import type { Job } from '../reading/jobs'

/** What one order asks for, in the words that services have in common. */
export type Wish = {
  model: string
  prompt: string
  negativePrompt: string | null
  ratio: '9:16' | '16:9'
  seconds: number
  seed: number
  /** Whether the clip has sound. Undefined: as the service does by itself. */
  sound: boolean | undefined
  /** A data URI. Null: none. */
  picture: string | null
  /** Another one for the end. Only beside `picture`. */
  endPicture: string | null
  /** Our own id of the order. */
  attemptId: string
}

/** The request of an order. `body` has the service's own names. */
export type OrderRequest = {
  path: string
  headers?: Readonly<Record<string, string>>
  body: JsonObject
}

/** An accepted order. `data` is what the answer named besides its id. */
export type Asked = { id: string; model: string; data: Readonly<Record<string, string>> }

/** How an order is asked for by our own id of it, exactly. */
export type ByClientId = {
  by: 'client-id'
  path(attemptId: string): string
  /** Returns our own id in the answer; null if it repeats none. */
  ownId(answer: JsonObject): string | null
}

/** How the service's list of orders is read. */
export type ByList = {
  by: 'list'
  /** The list's own host, for the service's own address. Absent: the same host. */
  host?: { of: RegExp; url: string }
  /** `page` counts from 1. */
  path(at: { model: string; since: Date; page: number }): string
  /** The length of a full page. Absent: the answer has to say whether there is more. */
  pageSize?: number
  /** Whether only one page can be asked for, so that a full one hides others. */
  onePage?: true
  /** The names of the id and the time of a listed order. */
  names: { id: string; time: string; input?: string }
  /** False if orders may be listed only when they have ended. */
  showsRunning: boolean
}

/**
 * One service, as data: where orders are sent and asked for, how its fields are called, and what it
 * does not do as the others. What its answers say is read by the common reader (`reading`).
 */
export type Profile = {
  /** Its address, if it has only one. */
  url?: string
  /** What stands before the key. */
  keyWord: 'Bearer' | 'Key'
  /** The form of a model's id, where it is part of an address, with an example. */
  modelForm?: { form: RegExp; example: string }
  /** The lengths that its models have in common. */
  seconds: readonly [number, ...number[]]
  hasNegativePrompt(model: string): boolean
  /** Whether an order may have a picture: with its model, only with a model of its own, or not at all. */
  pictures: 'same-model' | 'own-model' | 'none'
  /** Whether an order with a picture may have one for the end as well. Absent: it may not. */
  hasEndPictures?: true
  /** Whether the sound can be chosen by a field. */
  hasSound: boolean
  clipsKeptMs: number
  order(wish: Wish): OrderRequest
  /** The object of the body that `TASKS_EXTRA` is added to. Absent: the body itself. */
  extraIn?: string
  /** Where the id stands. Absent: anywhere that the common reader looks. */
  idAt?: readonly [string, ...string[]]
  /** Addresses of the answer that are kept, by their names. They count only on the same host. */
  keeps?: readonly string[]
  askAt(order: Asked): string
  /** Where the clip is named, if not in the answer about the state. */
  clipAt?(order: Asked): string
  /**
   * How a waiting order is withdrawn. Absent: the service cannot do it, or the same request would delete
   * the clip of an order that has ended meanwhile.
   */
  cancelAt?(order: Asked): { method: 'POST' | 'PUT'; path: string }
  /** What an answer means, where the common reader would be wrong. */
  reread?(job: Job, answer: JsonObject): Job
  /** The state of an order that is not there, said with status 200. */
  goneWord?: string
  /** A free request that shows whether a key works. An unknown order is a good answer. */
  checkAt(model: string): string
  /** Whether the list is one of the orders of a model. */
  hasListPerModel?: true
  /** Null: a lost order cannot be found. */
  find: ByClientId | ByList | null
}
