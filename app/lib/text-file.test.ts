import { expect, test } from 'vitest'
import { decodeText } from './text-file.server'

const utf16 = (text: string, mark = '') => new Uint8Array(Buffer.from(mark + text, 'utf16le'))
/** The bytes of a text in an encoding of one byte per character. */
function single(encoding: string, text: string): Uint8Array {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) byteOf.set(decoder.decode(Uint8Array.of(byte)), byte)
  return Uint8Array.from(text, (character) => byteOf.get(character) ?? 0x3f)
}

test.each([
  ['utf-8', new TextEncoder().encode('طائرة ورقية'), 'طائرة ورقية'],
  ['utf-16le', utf16('A kite', '\uFEFF'), 'A kite'],
  ['utf-16le', utf16('A kite over the sea'), 'A kite over the sea'],
])('lists: %s is certain', (encoding, bytes, text) =>
  expect(decodeText(bytes)).toEqual({ text, encoding, isDoubtful: false }),
)

test.each([
  ['windows-1256', 'طائرة ورقية فوق البحر\r\nقطتان نائمتان'],
  ['windows-1251', 'Красный воздушный змей над морем'],
  ['windows-1253', 'κόκκινος χαρταετός πάνω από τη θάλασσα'],
])('lists: %s is recognised and in doubt', (encoding, text) =>
  expect(decodeText(single(encoding, text))).toEqual({ text, encoding, isDoubtful: true }),
)

test('lists: Western European letters among others are no doubt', () =>
  expect(decodeText(single('windows-1252', 'Un café à la plage, très calme'))).toEqual({
    text: 'Un café à la plage, très calme',
    encoding: 'windows-1252',
    isDoubtful: false,
  }))

test('lists: the encoding can be chosen', () =>
  expect(decodeText(single('windows-1251', 'змей'), 'windows-1251').text).toBe('змей'))
