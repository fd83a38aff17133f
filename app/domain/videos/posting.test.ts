import { expect, test } from 'vitest'
import { postOf } from './posting'

test('issue 53.5: a post has a title on one line, the whole prompt, and each #word once', () => {
  const prompt = 'A boat\non a lake #Sea #sea,#ناؤ #2 a#b c&#d; ##no #2nd_day'
  const tags = ['#Sea', '#ناؤ', '#2nd_day']
  expect(postOf({ name: null, prompt })).toEqual({
    title: prompt.replace('\n', ' '),
    text: prompt,
    tags,
  })
  expect(postOf({ name: 'Summer #Fair', prompt })).toMatchObject({
    title: 'Summer #Fair',
    tags: ['#Fair', ...tags],
  })
  expect(Array.from(postOf({ name: null, prompt: 'ناؤ '.repeat(90) }).title)).toHaveLength(100)
})
