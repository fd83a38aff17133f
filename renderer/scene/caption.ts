import type { Pen } from './stage'

/** Returns the width of a text in pixels. */
export type Measure = (text: string) => number

/** Characters in the bundled fonts: Latin, Greek, Cyrillic, Hebrew, Arabic and punctuation. */
const DRAWABLE =
  /[\u0020-\u007e\u00a0-\u02ff\u0370-\u0373\u0376-\u0377\u037a-\u03ff\u0400-\u052f\u05d0-\u05ea\u05f0-\u05f4\u060c\u061b\u061f\u0620-\u065f\u0660-\u06d5\u06f0-\u06fc\u1e00-\u1eff\u1f00-\u1ffe\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2116\u2122\u2212]/u

/** Returns the prompt as one line without emoji, control characters and unsupported scripts. */
export function captionText(prompt: string): string {
  const oneLine = prompt.slice(0, 1_000).normalize('NFC').replace(/\s+/g, ' ')
  return Array.from(oneLine)
    .filter((letter) => DRAWABLE.test(letter))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Returns whether the first letter of the text belongs to a right-to-left script. */
export function runsRightToLeft(text: string): boolean {
  const letter = /\p{L}/u.exec(text)?.[0]
  return letter !== undefined && /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(letter)
}

export type Box = { width: number; lines: number; measure: Measure }

/** Breaks a text into at most `lines` lines of `width` pixels; the rest becomes `…`. */
export function wrapCaption(text: string, box: Box): readonly string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '' && lines.length < box.lines) {
    const line = longestStart(rest, box)
    lines.push(line)
    rest = rest.slice(line.length).trimStart()
  }
  const last = lines.pop()
  if (last === undefined) return []
  return [...lines, rest === '' ? last.trimEnd() : withEllipsis(last.trimEnd(), box)]
}

/** Returns the longest start of `text` that fits, cut between words if possible. */
function longestStart(text: string, { width, measure }: Box): string {
  let low = 1
  let high = Math.min(text.length, 160)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (measure(text.slice(0, middle)) <= width) low = middle
    else high = middle - 1
  }
  if (low === text.length) return text
  const space = text.lastIndexOf(' ', low)
  return space > 0 ? text.slice(0, space) : wholeLetters(text.slice(0, low))
}

function withEllipsis(line: string, { width, measure }: Box): string {
  let kept = line
  while (kept !== '' && measure(`${kept}…`) > width)
    kept = wholeLetters(kept.slice(0, -1)).trimEnd()
  return `${kept.replace(/(?<![\s,.;:–-])[\s,.;:–-]+$/u, '')}…`
}

/** Removes half of a surrogate pair at the end. */
function wholeLetters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

/** The look of a caption. `side` and `foot` are margins from the frame's edges in pixels. */
export type CaptionLook = {
  font: string
  noteFont: string
  size: number
  side: number
  foot: number
  mark: string
}

/** The size of the letters of a note, as a share of the caption's. */
export const NOTE = 0.72

/**
 * Draws the lines above the lower edge and the notes, which are English, under them in smaller letters,
 * with a small warm bar at the start of the text.
 */
export function paintCaption(
  pen: Pen,
  { lines, notes }: { lines: readonly string[]; notes: readonly string[] },
  look: CaptionLook & { width: number; height: number; rightToLeft: boolean },
): void {
  const { size, side, foot, rightToLeft, width, height } = look
  const leading = size * 1.3
  const tall = leading * (lines.length + notes.length * NOTE)
  const top = height - foot - tall
  const indent = side + 18
  pen.font = look.font
  pen.textBaseline = 'alphabetic'
  pen.direction = rightToLeft ? 'rtl' : 'ltr'
  pen.textAlign = rightToLeft ? 'right' : 'left'
  pen.fillStyle = '#fdf8ee'
  pen.shadowColor = 'rgba(0, 0, 0, 0.55)'
  pen.shadowBlur = 10
  const x = rightToLeft ? width - indent : indent
  lines.forEach((line, index) => pen.fillText(line, x, top + leading * index + size * 0.98))
  pen.font = look.noteFont
  pen.direction = 'ltr'
  notes.forEach((note, index) =>
    pen.fillText(note, x, top + leading * (lines.length + index * NOTE) + size * NOTE),
  )
  pen.shadowBlur = 0
  pen.fillStyle = look.mark
  pen.beginPath()
  pen.roundRect(rightToLeft ? width - side - 5 : side, top + size * 0.16, 5, tall - size * 0.3, 2.5)
  pen.fill()
}
