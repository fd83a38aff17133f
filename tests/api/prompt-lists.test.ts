import { describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import type { VideoPage } from '../support/videos'

// No worker runs: accepted videos wait.
const product = useInstallation()
const BULK = '/app?tab=bulk'
const LIST = '/app/list'

const newUser = (video_limit = 200) =>
  product.user({ plan: 'Business', video_limit, speed_limit: 3, video_generation_speed: 60 })

/** Sends a form of a page as a browser without scripts does. */
async function send(user: TestUser, path: string, fields: Record<string, string | File>) {
  const { html } = await openPage(user, path)
  const body = new FormData()
  body.set('formToken', /name="formToken" value="([^"]+)"/.exec(html)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const answer = await user.send('POST', path, {
    body,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  return { status: answer.status, location: answer.headers.get('location') }
}
const upload = (user: TestUser, file: File) =>
  send(user, BULK, { intent: 'add-file', promptLines: '', aspectRatio: 'portrait', file })
const start = async (user: TestUser, more: Record<string, string> = {}) => {
  const { html } = await openPage(user, LIST)
  const first = /name="first" value="(\d+)"/.exec(html)?.[1] ?? ''
  return send(user, LIST, { intent: 'start-list', aspectRatio: 'portrait', first, ...more })
}
const made = async (user: TestUser) =>
  (await user.get<VideoPage>('/api/videos?limit=200')).body.videos.map(({ prompt }) => prompt)

describe('a file with columns is shown row by row before it starts', () => {
  test('lists: columns are used or named, a row is left out, and what is left starts', async () => {
    const user = await newUser()
    const csv =
      'sep=;\r\nNo;Video prompt;Ratio;Negative;Name\r\n1;"A red kite;\r\nover the sea";16:9;fog;one\r\n' +
      '2;Two cats;16:9;fog;two\r\n3;Unwanted;16:9;fog;three\r\n'
    expect(await upload(user, new File([csv], 'my.csv'))).toEqual({ status: 303, location: LIST })
    expect(await made(user)).toEqual([])
    const { text } = await openPage(user, LIST)
    expect(text).toContain('3 prompts')
    expect(text).toContain('The aspect ratio is that of the column "Ratio"')
    expect(text).toContain('The negative prompt is that of the column "Negative"')
    expect(text).toContain('Not used: "No", "Name"')
    expect(text).toContain('Generate 3 Video(s)')
    await send(user, LIST, { intent: 'leave-row', row: '2' })
    expect((await openPage(user, LIST)).text).toContain('2 prompts ; 1 row left out')
    const started = await start(user)
    expect(started.location).toMatch(/batch=/)
    expect((await made(user)).sort()).toEqual(['A red kite;\nover the sea', 'Two cats'])
    expect((await openPage(user, LIST)).status).toBe(302)
  })

  test('lists: headings, repeated rows, links and chat stamps go with one press each', async () => {
    const user = await newUser()
    const txt = 'Prompts\nA boat\na boat\nhttps://example.com/x\n[12/05/2026, 10:33] Ali: A kite\n'
    expect((await upload(user, new File([txt], 'chat.txt'))).location).toBe(LIST)
    const shown = await openPage(user, LIST)
    for (const words of ['Leave out 1 heading', 'Leave out 1 repeated row', 'Remove 1 chat stamp'])
      expect(shown.text).toContain(words)
    for (const mark of ['heading', 'duplicate', 'link', 'stamp'])
      await send(user, LIST, { intent: 'leave-marked', mark })
    await start(user)
    expect((await made(user)).sort()).toEqual(['A boat', 'A kite'])
  })

  test('lists: of 130 rows the first 100 start, and 30 are kept', async () => {
    const user = await newUser()
    const rows = Array.from({ length: 130 }, (_, i) => `${i}\tA scene ${i}`).join('\n')
    await upload(user, new File([`id\tprompt\n${rows}`], 'many.tsv'))
    expect((await openPage(user, LIST)).text).toContain('First 100 now, keep 30')
    await start(user)
    const { text } = await openPage(user, LIST)
    expect(text).toContain('30 prompts ; 100 started before')
    // The rows that were ordered stay so in another encoding.
    await send(user, LIST, { intent: 'read-list', column: '1', encoding: 'windows-1252' })
    expect((await openPage(user, LIST)).text).toContain('30 prompts ; 100 started before')
    expect((await openPage(user, BULK)).text).toContain('Open the list of prompts')
  })

  test('lists: the encoding can be chosen', async () => {
    const user = await newUser()
    const bytes = Buffer.from('d8c7c6d1c920e6d1dec9c920dde6de20c7e1c8cdd10d0a', 'hex')
    await upload(user, new File([bytes], 'a.txt'))
    expect((await openPage(user, LIST)).text).toContain('طائرة')
    await send(user, LIST, { intent: 'read-list', column: '0', encoding: 'windows-1251' })
    const { text } = await openPage(user, LIST)
    expect(text).not.toContain('طائرة')
    expect(text).toContain('ШЗЖСЙ')
  })
})

describe('pasted cells', () => {
  test('lists: tabs are columns; the list is shown, and the text stays in the box until it starts', async () => {
    const user = await newUser()
    const promptLines = 'No\tPrompt\n1\tA boat\n2\tA kite'
    const asked = await send(user, BULK, {
      intent: 'start-batch',
      promptLines,
      aspectRatio: 'portrait',
    })
    expect(asked).toEqual({ status: 303, location: LIST })
    expect(await made(user)).toEqual([])
    expect((await openPage(user, BULK)).html).toContain('1\tA boat')
    await start(user)
    expect((await made(user)).sort()).toEqual(['A boat', 'A kite'])
    expect((await openPage(user, BULK)).html).not.toContain('1\tA boat')
  })

  test('lists: the rows can go back into the box, one per line', async () => {
    const user = await newUser()
    await send(user, BULK, {
      intent: 'review-batch',
      promptLines: '1\tA boat at sea\n2\tA kite in the wind',
      aspectRatio: 'portrait',
    })
    await send(user, LIST, { intent: 'list-to-box' })
    const { html } = await openPage(user, BULK)
    expect(html).toContain('A boat at sea\nA kite in the wind</textarea>')
  })
})
