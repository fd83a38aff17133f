import { bare, isObject } from './json'

/** Names of fields with the address of a clip, without case and signs. */
const NAMES = new Set(
  (
    'url urls uri uris video videos videourl videourls videouri mp4 mp4url output outputs outputurl ' +
    'outputurls result results resulturl resulturls downloadurl downloadlink fileurl contenturl ' +
    'playurl mediaurl hdurl originurl originurls unsignedurls signedurl link href src gcsuri asset ' +
    'assets clip clips clipurl resource resourceurl cdnurl'
  ).split(' '),
)
/** What is beside a clip: pictures, inputs, and addresses to ask or to be asked at. */
const OTHERS =
  /cover|thumb|poster|preview|image|img|frame|input|reference|source|poll|status|cancel|callback|webhook|audio|gif|avatar|error|watermarked|sprite|docs?$/i
const NOT_VIDEO = /\.(jpe?g|png|webp|gif|svg|json|xml|mp3|wav|m4a|aac|txt|html?|zip)$/i

const MOST_DEPTH = 8
const MOST_VALUES = 2_000
const MOST_FOUND = 10
const LONGEST = 4_000

/**
 * Returns the addresses of clips in an answer, those that end in `.mp4` first. They may be relative
 * to the server. Nothing is known of them: the caller checks each before it calls it.
 */
export function clipAddressesIn(response: unknown): readonly string[] {
  const found: string[] = []
  let left = MOST_VALUES
  const walk = (value: unknown, name: string, depth: number): void => {
    left -= 1
    if (left < 0 || depth > MOST_DEPTH || found.length >= MOST_FOUND) return
    if (typeof value === 'string') {
      if (NAMES.has(bare(name)) && isAddress(value) && !found.includes(value)) found.push(value)
    } else if (Array.isArray(value)) {
      for (const each of value) walk(each, name, depth + 1)
    } else if (isObject(value)) {
      for (const [key, each] of Object.entries(value)) {
        if (!OTHERS.test(key)) walk(each, key, depth + 1)
      }
    }
  }
  walk(response, '', 0)
  const isMp4 = (address: string) => /\.mp4$/i.test(pathOf(address))
  return [...found.filter(isMp4), ...found.filter((address) => !isMp4(address))]
}

function isAddress(text: string): boolean {
  if (text.length > LONGEST || /[\s"<>]/.test(text)) return false
  return /^(https?:\/\/[^/]|\/[^/])/i.test(text) && !NOT_VIDEO.test(pathOf(text))
}

const pathOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? ''

/** Returns those of the addresses that are one, relative ones as of the server at `base`. */
export const urlsOf = (addresses: readonly string[], base: string): readonly URL[] =>
  addresses.flatMap((address) => (URL.canParse(address, base) ? [new URL(address, base)] : []))
