const D = String.raw`\p{Nd}`
const MONTH = String.raw`\p{L}{3,9}\.?`
const DAY = String.raw`(?:${D}{1,4}[./-]${D}{1,2}[./-]${D}{1,4}|${D}{1,2} ${MONTH} ${D}{4}|${MONTH} ${D}{1,2}, ${D}{4})`
const SHORT_DAY = String.raw`${D}{1,2}[./-]${D}{1,2}`
const TIME = String.raw`${D}{1,2}[:.]${D}{2}(?:[:.]${D}{2})?(?:\s?(?:[ap]\.?\s?m\.?|[صم])(?!\p{L}))?`
/** Between a day and a time. */
const AND = String.raw`[,،]?\s+(?:at\s+)?`
const NAME = String.raw`[^:\n[\]]{1,40}`
/**
 * What a chat writes before a message. WhatsApp: `[12/05/2026, 10:33] Ali: `, `12.05.26, 10:33 - Ali: `,
 * and when it is copied `[10:33, 12/05/2026] Ali: `. Telegram: `Ali, [12.05.2026 10:33]:`. Without a year
 * only in brackets, `[12/05, 10:33] Ali: `, and without a day only before a name, `[10:33] Ali: `.
 */
const STAMP = new RegExp(
  [
    String.raw`^[\u200e\u200f\u202a-\u202e]*(?:`,
    String.raw`(?:\[?(?:${DAY}${AND}${TIME}|${TIME}[,،]\s+${DAY})\]?|\[${SHORT_DAY}${AND}${TIME}\])`,
    String.raw`\s*(?:[-–]\s*)?(?:${NAME}:(?:\s|$))?`,
    String.raw`|\[${TIME}\]\s*${NAME}:(?:\s|$)`,
    String.raw`|${NAME}[,،]\s\[${DAY}${AND}${TIME}\]:?`,
    ')',
  ].join(''),
  'iu',
)
/** What a chat writes in place of a message. */
const NO_MESSAGE =
  /^[\u200e\u200f]*(?:<[^<>]{1,30} omitted>|(?:image|video|audio|sticker|gif|document|contact card) omitted|(?:this message was|you) deleted(?: this message)?\.?|messages and calls are end-to-end encrypted\b.*)$/i

/**
 * Returns a prompt without the stamp of a chat. Returns '' for a line that is only a stamp, and for one
 * that a chat has written in place of a message.
 */
export function withoutStamp(text: string): string {
  const rest = text.replace(STAMP, '').trim()
  return NO_MESSAGE.test(rest) ? '' : rest
}
