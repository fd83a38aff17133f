import { linesOf } from './text'

// The part of Markdown that our own documents use. Pages show them as their authors wrote them: names
// of settings and statements are copied from there in an outage.

/** A piece of a line and how it is marked. Links are shown as their text. */
export type Piece = { text: string; look: 'plain' | 'code' | 'strong' | 'emphasis' }

export type Block =
  | { kind: 'paragraph'; pieces: Piece[] }
  | { kind: 'list'; isNumbered: boolean; items: Piece[][] }
  | { kind: 'code'; text: string }

const ITEM = /^(?:-|\d+\.) +/

/** Splits a text into its paragraphs, lists and fenced code. */
export function blocksOf(text: string): Block[] {
  // Every second part is code.
  return text.split(/^```/m).flatMap((part, i): Block[] => {
    if (i % 2 === 1) return [{ kind: 'code', text: part.slice(part.indexOf('\n') + 1).trimEnd() }]
    const blocks = part.split(/\n{2,}/).map((block) => block.trim())
    return blocks.filter((block) => block !== '').map(blockOf)
  })
}

function blockOf(block: string): Block {
  if (!ITEM.test(block)) return { kind: 'paragraph', pieces: piecesOf(block) }
  const items = block.split(/\n(?=(?:-|\d+\.) )/).map((item) => piecesOf(item.replace(ITEM, '')))
  return { kind: 'list', isNumbered: !block.startsWith('-'), items }
}

/**
 * Code is a mark of its own: nothing within it is one. An underscore marks emphasis only at the ends of
 * words, so a name such as DATA_DIR keeps its own.
 */
const MARKS =
  /(?<code>`[^`]+`)|(?<strong>\*\*)|(?<emphasis>(?<![\p{L}\p{N}_])_(?=[^\s_])|(?<=[^\s_])_(?![\p{L}\p{N}_]))|\[(?<link>[^[\]]+)\]\([^)]*\)/gu

/** Splits the text of one paragraph or item into pieces. Its line ends become blanks. */
export function piecesOf(text: string): Piece[] {
  const line = linesOf(text)
    .map((one) => one.trim())
    .join(' ')
  const pieces: Piece[] = []
  let isStrong = false
  let isEmphasis = false
  let end = 0
  const add = (piece: string, look?: 'code') => {
    const around = isStrong ? 'strong' : isEmphasis ? 'emphasis' : 'plain'
    if (piece !== '') pieces.push({ text: piece, look: look ?? around })
  }
  for (const mark of line.matchAll(MARKS)) {
    add(line.slice(end, mark.index))
    end = mark.index + mark[0].length
    const { code, strong, emphasis, link } = mark.groups ?? {}
    if (code) add(code.slice(1, -1), 'code')
    else if (strong) isStrong = !isStrong
    else if (emphasis) isEmphasis = !isEmphasis
    else if (link) add(link)
  }
  add(line.slice(end))
  return pieces
}
