import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestHandler } from 'express'
import { ENGLISH, readFormatFrom, type NumberFormat } from '~/lib/figures'

const requests = new AsyncLocalStorage<() => NumberFormat>()
readFormatFrom(() => requests.getStore()?.() ?? ENGLISH)

/**
 * Makes figures in the response to a request follow the first language of its Accept-Language
 * header.
 */
export const numberFormat: RequestHandler = (req, _res, next) => {
  let known: NumberFormat | undefined
  requests.run(() => (known ??= formatOf(req.acceptsLanguages()[0])), next)
}

/**
 * Returns how a language writes numbers with the digits 0 to 9; the English format for unknown
 * languages.
 */
export function formatOf(language = '*'): NumberFormat {
  if (!isKnown(language)) return ENGLISH
  const numbers = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  const parts = numbers.formatToParts(1_234_567.5)
  const valueOf = (wanted: string) => parts.find(({ type }) => type === wanted)?.value
  const size = valueOf('integer') === '12' ? 2 : 3
  const from = numbers.formatToParts(1234).length > 1 ? 4 : 5
  return `${valueOf('group') ?? ','}${valueOf('decimal') ?? '.'}${size}${from}`
}

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false // not a language tag
  }
}
