import { expect, test } from 'vitest'
import { blocksOf, piecesOf } from './marked-text'

test('O21: underscores in names and in code are no marks', () => {
  expect(piecesOf('raise WORKER_CONCURRENCY, or `delete_from a_b`, see _Token pool_.')).toEqual([
    { text: 'raise WORKER_CONCURRENCY, or ', look: 'plain' },
    { text: 'delete_from a_b', look: 'code' },
    { text: ', see ', look: 'plain' },
    { text: 'Token pool', look: 'emphasis' },
    { text: '.', look: 'plain' },
  ])
  expect(piecesOf('**`/readyz` returns\n  503.** See [the\nnotes](a_b.md) on `**`')).toEqual([
    { text: '/readyz', look: 'code' },
    { text: ' returns 503.', look: 'strong' },
    { text: ' See ', look: 'plain' },
    { text: 'the notes', look: 'plain' },
    { text: ' on ', look: 'plain' },
    { text: '**', look: 'code' },
  ])
})

test('paragraphs, lists and code', () => {
  const text = 'One\ntwo.\n\n1. a\n   b\n2. c\n\n- d\n\n```sql\nselect a_b\n\nfrom c;\n```\nEnd.'
  const plain = (words: string) => [{ text: words, look: 'plain' }]
  expect(blocksOf(text)).toEqual([
    { kind: 'paragraph', pieces: plain('One two.') },
    { kind: 'list', isNumbered: true, items: [plain('a b'), plain('c')] },
    { kind: 'list', isNumbered: false, items: [plain('d')] },
    { kind: 'code', text: 'select a_b\n\nfrom c;' },
    { kind: 'paragraph', pieces: plain('End.') },
  ])
})
