import type { AlarmChannel } from '../business/types'
import { linkTo, mailOf, type Message, type Product } from './messages'

/** What administrators are told. It contains no secrets, prompts or answers of the provider. */
export type News = {
  /** The alarm. */
  name: string
  state: 'begins' | 'lasts' | 'solved' | 'notice' | 'test'
  title: string
  lines: readonly string[]
  /** The page of the product on which to look. */
  path: string
}

/** Returns what is sent of news: the message's id, and when it was written as ISO 8601. */
export const alarmMessage: Record<
  AlarmChannel,
  (product: Product, news: News, of: { id: string; at: string }) => Message
> = {
  webhook: (product, { name, state, ...news }, { id, at }) => {
    const { title, text } = textOf(product, news)
    const json = { product: product.productName, id, name, state, text, at }
    return { title, body: JSON.stringify(json) }
  },
  telegram: (product, news) => {
    const { title, text } = textOf(product, news)
    return { title, body: text }
  },
  email: (product, { title, lines, path }) =>
    mailOf(
      product,
      withoutNumbers(title),
      ...(lines.length === 0 ? [] : [withoutNumbers(lines.join('\n'))]),
      `See ${linkTo(product, path)}`,
      'Administrators get this e-mail because the Settings page names this address.',
    ),
}

function textOf(product: Product, news: Pick<News, 'title' | 'lines' | 'path'>) {
  const title = withoutNumbers(`${product.productName}: ${news.title}`)
  const lines = [title, ...news.lines.map(withoutNumbers), linkTo(product, news.path)]
  return { title, text: lines.join('\n') }
}

/** Returns a text in which long numbers are cut to their last four digits, as phone numbers are. */
export const withoutNumbers = (text: string): string =>
  text.replaceAll(/\d+/g, (digits) => (digits.length < 7 ? digits : `…${digits.slice(-4)}`))
