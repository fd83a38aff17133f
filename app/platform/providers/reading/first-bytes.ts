/** How many bytes `lookOf` needs. Fewer are enough if there are no more. */
export const FIRST_BYTES = 64

/** What the first bytes of a body are. `binary`: neither, such as an unknown format or compressed data. */
type Look = 'mp4' | 'text' | 'binary'

/** The types of box with which an MP4 file may begin, at its fifth byte. */
const BOXES = /^(ftyp|styp|moov|mdat|moof|free|skip|wide|pnot|uuid|sidx)$/

/** Returns what a body is by its first bytes, whatever its label says. */
export function lookOf(first: Buffer): Look {
  if (BOXES.test(first.toString('latin1', 4, 8))) return 'mp4'
  return first.length > 0 && isText(first.subarray(0, FIRST_BYTES)) ? 'text' : 'binary'
}

function isText(bytes: Buffer): boolean {
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte))) return false
  try {
    // A letter may be cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
