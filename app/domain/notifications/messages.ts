import { plural } from '~/lib/figures'
import { paths } from '~/lib/paths'
import type { Settings } from '../context'
import { postOf } from '../videos/posting'
import type { BatchEnd, NotificationChannel } from './types'

export type Product = Pick<Settings, 'productName' | 'appUrl'>

/** What is sent: a title on one line, and a text or JSON. */
export type Message = { title: string; body: string }

/** Returns what a user is told at the end of a batch. `id` is the message's. */
export const endMessage: Record<
  NotificationChannel,
  (product: Product, end: BatchEnd, id: string) => Message
> = {
  email: (product, end) =>
    mailOf(
      product,
      titleOf(end),
      `Your batch “${end.name}” ${wordOf(end)}.`,
      countsOf(end),
      linksOf(product, end),
      footerOf(product),
    ),
  push: (_product, end, id) => ({
    title: titleOf(end),
    body: JSON.stringify({
      title: `“${end.name}” ${wordOf(end)}`,
      body: readyOf(end),
      url: paths.batchPage(end.id),
      tag: id,
      ...(end.ready > 0 && { download: paths.batchArchive(end.id) }),
    }),
  }),
  webhook: (product, end, id) => ({
    title: titleOf(end),
    body: JSON.stringify({
      event: 'batch.ended',
      id,
      time: end.endedAt,
      batchId: end.id,
      name: end.name,
      status: end.status,
      counts: {
        ready: end.ready,
        failed: end.failed,
        cancelled: end.cancelled,
        inProgress: end.inProgress,
      },
      unitsCharged: end.charged,
      link: linkTo(product, paths.batchPage(end.id)),
      download: end.ready > 0 ? linkTo(product, paths.batchArchive(end.id)) : null,
    }),
  }),
}

/** A clip that was delivered, and the name of its file. */
export type DeliveredClip = {
  videoId: string
  batchId: string | null
  name: string | null
  prompt: string
  file: string
  /** ISO 8601. */
  at: string
}

/** Returns the call about a delivered clip, with what a scheduler posts. */
export function clipMessage(product: Product, clip: DeliveredClip, id: string): Message {
  const { videoId, batchId, file, at } = clip
  const post = postOf(clip)
  return {
    title: `Clip ready: ${post.title}`,
    body: JSON.stringify({
      event: 'clip.ready',
      id,
      time: at,
      videoId,
      batchId,
      file,
      ...post,
      url: linkTo(product, paths.api.download(videoId)),
      link: linkTo(product, paths.video(videoId)),
    }),
  }
}

/** Returns what a test sends. */
export const testMessage: Record<
  NotificationChannel,
  (product: Product, time: string, id: string) => Message
> = {
  email: (product) =>
    mailOf(
      product,
      'Test',
      'This is a test. E-mails about your batches arrive.',
      footerOf(product),
    ),
  push: (product, _time, id) => ({
    title: 'Test',
    body: JSON.stringify({
      title: product.productName,
      body: 'This is a test. This device is told when a batch is done.',
      url: paths.notifications,
      tag: id,
    }),
  }),
  webhook: (product, time, id) => ({
    title: 'Test',
    body: JSON.stringify({ event: 'test', id, time, link: linkTo(product, paths.notifications) }),
  }),
}

/**
 * Returns the mail with the link that confirms an address. It contains nothing that its sender can choose, so that it
 * cannot carry somebody else's message. `account` is the beginning of what its owner recognises.
 */
export const confirmMessage = (
  product: Product,
  { account, token, hours }: { account: string; token: string; hours: number },
): Message =>
  mailOf(
    product,
    'Confirm your e-mail address',
    `The account ${account} asked to be told at this address when its batches end, and before its plan does.`,
    `To confirm it, open this page and press the button: ${linkTo(product, paths.confirmEmail(token))}`,
    `The link works for ${plural(hours, 'hour')}. If you did not ask for it, do nothing: no more e-mails will come.`,
  )

/** Lays a mail out: its subject, and paragraphs. */
export const mailOf = (
  { productName }: Product,
  title: string,
  ...paragraphs: readonly string[]
): Message => ({ title: `${productName}: ${title}`, body: paragraphs.join('\n\n') })

export const linkTo = ({ appUrl }: Product, path: string) => new URL(path, appUrl).href

const wordOf = ({ status }: BatchEnd) => (status === 'completed' ? 'is done' : 'was cancelled')

const readyOf = ({ ready, failed }: BatchEnd) =>
  failed === 0 ? `${ready} ready` : `${ready} ready, ${failed} failed`

const titleOf = (end: BatchEnd) => `“${end.name}” ${wordOf(end)}: ${readyOf(end)}`

function countsOf({ ready, failed, cancelled, inProgress, charged }: BatchEnd): string {
  const lines = [`Ready: ${ready}`, `Failed: ${failed}`, `Cancelled: ${cancelled}`]
  if (inProgress > 0) lines.push(`Still being made: ${inProgress}`)
  return [...lines, `Charged: ${plural(charged, 'video')}`].join('\n')
}

/** The links ask for a sign-in. Signed out, that of the clips leads to the page of the batch. */
function linksOf(product: Product, { id, ready }: BatchEnd): string {
  const lines = [`See the videos: ${linkTo(product, paths.batchPage(id))}`]
  if (ready > 0) lines.push(`Download them as ZIP: ${linkTo(product, paths.batchArchive(id))}`)
  return lines.join('\n')
}

const footerOf = (product: Product) =>
  `You get this e-mail because your account asked for it. Turn it off: ${linkTo(product, paths.notifications)}`
