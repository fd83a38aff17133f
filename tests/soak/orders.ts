import { createHash } from 'node:crypto'
import { clipNote } from '../simulator/clip'
import { z } from 'zod'
import { clipOf, hashOf, type ClipOrder } from '../simulator/orders'
import type { Accepted } from './customers'
import type { Setting } from './options'
import type { Entry } from './simulator-control'
import { CLIP_BYTES, CLIP_SECONDS } from './product'

/**
 * Returns the texts that a provider may receive for a prompt: each protocol changes it differently.
 */
export function wordingsOf(video: Accepted): string[] {
  return [video.prompt, withNegativePrompt(video)].flatMap(encodings)
}

const withNegativePrompt = ({ prompt, negativePrompt }: Accepted): string =>
  negativePrompt === null ? prompt : `${prompt}\nAvoid: ${negativePrompt}`

/** Forms write line breaks as CR LF. */
const encodings = (text: string): string[] => [text, text.replaceAll('\n', '\r\n')]

/**
 * Returns whether an order of a video has exactly its negative prompt, where this protocol has it.
 */
export function hasItsNegativePrompt(
  video: Accepted,
  order: Pick<Entry, 'promptHash' | 'negativePromptHash'>,
  where: Setting['negativePrompt'],
): boolean {
  const [prompt, own] =
    where === 'field' ? [video.prompt, video.negativePrompt] : [withNegativePrompt(video), null]
  const owns: (string | null)[] = own === null ? [null] : encodings(own).map(hashOf)
  return (
    encodings(prompt).map(hashOf).includes(order.promptHash) &&
    owns.includes(order.negativePromptHash)
  )
}

/** Groups the ledger's entries by video, in the order of their acceptance. */
export function ordersByVideo(
  videos: readonly Accepted[],
  ledger: readonly Entry[],
): Map<number, Entry[]> {
  const numberOf = new Map(
    videos.flatMap((video) =>
      wordingsOf(video).map((text) => [hashOf(text), video.number] as const),
    ),
  )
  const found = new Map<number, Entry[]>()
  for (const entry of ledger) {
    const number = numberOf.get(entry.promptHash)
    if (number === undefined) continue
    found.set(number, [...(found.get(number) ?? []), entry])
  }
  return found
}

export type FileVerdict = 'right' | { wrong: string }

/**
 * Checks that a delivered file is, byte for byte, the clip that the simulator makes for one of the
 * video's own orders.
 */
export function checkFile(bytes: Buffer, video: Accepted, orders: readonly Entry[]): FileVerdict {
  const note = clipNote(bytes)
  if (note === null) return { wrong: 'no clip of the simulator' }
  const { orderId, key, promptHash } = noteSchema.parse(JSON.parse(note))
  const order = orders.find((entry) => entry.orderId === orderId && entry.promptHash === promptHash)
  if (order === undefined) return { wrong: `the clip of another video's order ${orderId}` }
  const prompt = wordingsOf(video).find((text) => hashOf(text) === order.promptHash) ?? ''
  const made = clipOf({ ...asOrder(video, order, prompt), key })
  return sha256(made) === sha256(bytes) ? 'right' : { wrong: `not the bytes of order ${orderId}` }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** What the simulator writes into a clip. `key` distinguishes orders with the same id. */
const noteSchema = z.object({ orderId: z.string(), key: z.string(), promptHash: z.string() })

function asOrder(
  { aspectRatio }: Accepted,
  { orderId, attemptId }: Entry,
  prompt: string,
): Omit<ClipOrder, 'key'> {
  const [width, height] = aspectRatio === 'portrait' ? [720, 1280] : [1280, 720]
  const known = { id: orderId, attemptId, prompt, width, height, seconds: CLIP_SECONDS }
  return { ...known, bytes: CLIP_BYTES }
}
