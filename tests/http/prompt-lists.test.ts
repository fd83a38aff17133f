import { describe, expect, test } from 'vitest'
import type { TestUser } from '../support/installation'
import { openPage, submitForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'
import { workbookOf } from '../support/workbook'
import type { VideoPage } from '../support/videos'

// No worker runs: accepted videos wait.
const product = useInstallation()
const BULK = '/app?tab=bulk'
const LIST = '/app/list'

const newUser = (video_limit = 200) =>
  product.user({ plan: 'Business', video_limit, speed_limit: 3, video_generation_speed: 60 })

/** Sends a form of a page as a browser without scripts does. */
async function send(
  user: TestUser,
  path: string,
  fields: Record<string, string | File>,
  shown = path,
) {
  const response = await submitForm(user, path, fields, { shown })
  return { status: response.status, location: response.headers.get('location') }
}
const upload = (user: TestUser, file: File) =>
  send(user, BULK, { intent: 'add-file', promptLines: '', aspectRatio: 'portrait', file })
/** What a tab that shows the list would send. */
const startForm = async (user: TestUser): Promise<Record<string, string>> => {
  const { html } = await openPage(user, LIST)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  const hidden = { formKey: field('formKey'), first: field('first'), version: field('version') }
  return { intent: 'start-list', aspectRatio: 'portrait', ...hidden }
}
const start = async (user: TestUser) => send(user, LIST, await startForm(user))
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
    expect(text).toContain('Each video gets the name in its "Name" cell')
    expect(text).toContain('Not used: "No"')
    expect(text).toContain('Generate 3 Video(s)')
    await send(user, LIST, { intent: 'leave-row', row: '2' })
    expect((await openPage(user, LIST)).text).toContain('2 prompts ; 1 row left out')
    const started = await start(user)
    expect(started.location).toMatch(/batch=/)
    expect((await made(user)).sort()).toEqual(['A red kite;\nover the sea', 'Two cats'])
    expect((await openPage(user, LIST)).status).toBe(303)
  })

  const settingsOf = async (user: TestUser) => {
    const { rows } = await product.db.query<Record<string, unknown>>(
      `select prompt, aspect_ratio as ratio, negative_prompt as negative from videos where user_id = $1
       union all select prompt, carried.aspect_ratio, carried.negative_prompt from carried_prompts as carried
         join batches on batches.id = batch_id where user_id = $1 order by prompt, ratio desc, negative`,
      [user.userId],
    )
    return rows
  }
  const MIXED =
    'Prompt\tRatio\tNegative\nA boat\t16:9\tfog\nA boat\tvertical\t\nA kite\tsquare\train\nA sail\t\t\n'

  test('issue 39.4: cells that differ are the settings of their rows, also of those for later days', async () => {
    const user = await newUser(2)
    await upload(user, new File([MIXED], 'mixed.tsv'))
    const { text } = await openPage(user, LIST)
    expect(text).toContain('Each row uses the aspect ratio in its "Ratio" cell')
    expect(text).toContain('"square" in the column "Ratio" cannot be used as the aspect ratio')
    expect(text).not.toContain('Leave out 1 repeated row')
    expect(text).toContain('A boat Landscape 16:9 Without: fog')
    await send(user, LIST, { ...(await startForm(user)), intent: 'list-over-days', all: '4' })
    expect(await settingsOf(user)).toEqual([
      { prompt: 'A boat', ratio: 'landscape', negative: 'fog' },
      { prompt: 'A boat', ratio: 'portrait', negative: null },
      { prompt: 'A kite', ratio: 'portrait', negative: 'rain' },
      { prompt: 'A sail', ratio: 'portrait', negative: null },
    ])
  })

  test('issue 39.4: one press gives all rows one setting; a batch with several comes back as a list', async () => {
    const user = await newUser()
    await upload(user, new File([MIXED], 'mixed.tsv'))
    await send(user, LIST, { intent: 'own-settings', hasOwn: 'no' })
    const shown = await openPage(user, LIST)
    expect(shown.text).toContain('The column "Ratio" has several values and is not used')
    expect(shown.text).toContain('Leave out 1 repeated row')
    await send(user, LIST, { intent: 'own-settings', hasOwn: 'yes' })
    const { location } = await start(user)
    const batch = new URL(location ?? '', 'http://x').searchParams.get('batch') ?? ''
    const before = await settingsOf(user)
    await product.db.query(`update batches set status = 'completed' where id = $1`, [batch])
    const again = await send(user, `/batches/${batch}`, { intent: 'use-again', on: batch })
    expect(again).toEqual({ status: 303, location: LIST })
    expect((await openPage(user, LIST)).text).toContain('4 prompts are in the list')
    await start(user)
    expect(await settingsOf(user)).toEqual(before.flatMap((row) => [row, row]))
  })

  test('issue 39.3: prompts of a batch say which list they replaced', async () => {
    const user = await newUser()
    await upload(user, new File([MIXED], 'mixed.tsv'))
    const { location } = await start(user)
    const batch = new URL(location ?? '', 'http://x').searchParams.get('batch') ?? ''
    await upload(user, new File(['A boat'], 'other.txt'))
    await send(user, `/batches/${batch}`, { intent: 'use-again', on: batch })
    expect((await openPage(user, LIST)).text).toContain(
      'This list replaces the one from other.txt.',
    )
  })

  test('issue 39.3: equal prompts of two batches are all put back, though a row of the first is left out', async () => {
    const user = await newUser()
    const cells = 'Prompt\tRatio\nA boat\t9:16\nA kite\t16:9'
    const cancelled = async () => {
      await upload(user, new File([cells], 'two.tsv'))
      const { location } = await start(user)
      const id = new URL(location ?? '', 'http://x').searchParams.get('batch') ?? ''
      await user.post(`/api/batches/${id}/cancel`)
      return id
    }
    const batches = [await cancelled(), await cancelled()]
    const putBack = (on = '') => send(user, `/batches/${on}`, { intent: 'put-back', on })
    await putBack(batches[0])
    await send(user, LIST, { intent: 'leave-row', row: '0' })
    expect((await openPage(user, LIST)).text).not.toContain('A boat')
    await putBack(batches[1])
    expect((await openPage(user, LIST)).text).toContain('A boat')
  })

  test('U-BULK-12: a column of names names the videos, on every screen, and comes back with the prompts', async () => {
    const user = await newUser(2)
    const long = `${'word '.repeat(12)}end`
    const rows = `Tiêu đề\tPrompt\tFile name\nThe market.mp4\tA boat\tx\n\tA kite\n${long}\tA sail\nSecond\tA boat\n`
    await upload(user, new File([rows], 'named.tsv'))
    const list = await openPage(user, LIST)
    expect(list.text).toContain('Each video gets the name in its "Tiêu đề" cell')
    expect(list.text).toContain('Not used: "File name"')
    expect(list.text).toContain('1 name of more than 60 characters is cut, such as "word word')
    expect(list.text).toContain('The market A boat')
    expect(list.text).toContain('Leave out 1 repeated row')
    const form = { ...(await startForm(user)), intent: 'list-over-days', all: '4' }
    const { location } = await send(user, LIST, form)
    const batch = new URL(location ?? '', 'http://x').searchParams.get('batch') ?? ''
    const named = async () => {
      const { rows } = await product.db.query<{ prompt: string; name: string | null }>(
        `select prompt, clip_name as name from videos where user_id = $1
         union all select prompt, carried.clip_name from carried_prompts as carried
           join batches on batches.id = batch_id where user_id = $1`,
        [user.userId],
      )
      return rows.map(({ prompt, name }) => `${prompt}: ${name}`).sort()
    }
    const cut = `${'word '.repeat(12).slice(0, 59)}…`
    expect(await named()).toEqual([
      'A boat: Second',
      'A boat: The market',
      'A kite: null',
      `A sail: ${cut}`,
    ])
    const move = (to: string) =>
      product.db.query(
        `update videos set status = $2::video_status where user_id = $1 and clip_name = 'The market'`,
        [user.userId, to],
      )
    await move('generating')
    expect((await openPage(user, '/dashboard')).text).toContain('The market A boat')
    await move('pending')
    const page = await openPage(user, `/batches/${batch}`)
    expect(page.text).toContain('Second A boat')
    expect(page.text).toContain(`${cut} A sail`)
    // A changed prompt and one in another place keep their names.
    const { rows: carried } = await product.db.query<{ id: string }>(
      'select id from carried_prompts where batch_id = $1 order by position desc',
      [batch],
    )
    const last = { on: batch, videoId: carried[0]?.id ?? '' }
    await send(user, `/batches/${batch}`, { ...last, intent: 'edit-prompt', prompt: 'A tug' })
    await send(user, `/batches/${batch}`, { ...last, intent: 'move-prompt', to: 'earlier' })
    const before = await named()
    expect(before).toEqual([
      'A boat: The market',
      'A kite: null',
      `A sail: ${cut}`,
      'A tug: Second',
    ])
    const again = await send(user, `/batches/${batch}`, { intent: 'use-again', on: batch })
    expect(again.location).toBe(LIST)
    expect((await openPage(user, LIST)).text).toContain(
      'Each video gets the name in its "Name" cell',
    )
    await user.post(`/api/batches/${batch}/cancel`)
    await send(user, LIST, { ...(await startForm(user)), intent: 'list-over-days', all: '4' })
    expect(await named()).toEqual(before.flatMap((row) => [row, row]))
  })

  test('issue 39.4: a cell that is too long is named with its row', async () => {
    const user = await newUser()
    const rows = `Prompt\tNegative\nA boat\tfog\nA kite\t${'n'.repeat(301)}\n`
    await upload(user, new File([rows], 'long.tsv'))
    expect((await start(user)).status).toBe(400)
    expect(await settingsOf(user)).toEqual([])
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

  test('lists: a plain file is shown too, and its numbers and bullets go with one press', async () => {
    const user = await newUser()
    const txt = '1. A boat\r\n2) “A kite”\r\n• Snow\r\nFog\r\n'
    expect((await upload(user, new File([txt], 'plain.txt'))).location).toBe(LIST)
    expect(await made(user)).toEqual([])
    const shown = await openPage(user, LIST)
    expect(shown.text).toContain('Remove numbers, bullets, quotes from 3 rows')
    await send(user, LIST, { intent: 'leave-marked', mark: 'sign' })
    expect((await openPage(user, LIST)).text).not.toContain('Remove list numbers')
    await start(user)
    expect((await made(user)).sort()).toEqual(['A boat', 'A kite', 'Fog', 'Snow'])
  })

  test('lists: the heading of a single column is named, and no prompt', async () => {
    const user = await newUser()
    await upload(user, new File(['Scene\nA boat, slow\nA kite\n'], 'one.csv'))
    const { text } = await openPage(user, LIST)
    expect(text).toContain('2 prompts')
    expect(text).toContain('The first row, "Scene", is the heading')
  })

  test('lists: another file does not take the place of a list with rows left', async () => {
    const user = await newUser()
    const rows = Array.from({ length: 101 }, (_, i) => `A scene ${i}`).join('\n')
    await upload(user, new File([rows], 'many.txt'))
    await upload(user, new File([rows], 'again.txt'))
    await start(user)
    const refused = await upload(user, new File(['A boat'], 'other.txt'))
    expect(refused.status).toBe(409)
    expect((await openPage(user, LIST)).text).toContain('1 prompt ; 100 started before')
    await send(user, LIST, { intent: 'discard-list' })
    expect((await upload(user, new File(['A boat'], 'other.txt'))).location).toBe(LIST)
  })

  test('lists: of 130 rows the first 100 start, and 30 are kept', async () => {
    const user = await newUser()
    const rows = Array.from({ length: 130 }, (_, i) => `${i}\tA scene ${i}`).join('\n')
    await upload(user, new File([`id\tprompt\n${rows}`], 'many.tsv'))
    expect((await openPage(user, LIST)).text).toContain('The other 30 stay in this list.')
    await start(user)
    const { text } = await openPage(user, LIST)
    expect(text).toContain('30 prompts ; 100 started before')
    // The rows that were ordered stay so in another encoding, and after a look at another column.
    await send(user, LIST, { intent: 'read-list', column: '1', encoding: 'windows-1252' })
    expect((await openPage(user, LIST)).text).toContain('30 prompts ; 100 started before')
    await send(user, LIST, { intent: 'read-list', column: '0' })
    expect((await openPage(user, LIST)).text).not.toContain('started before')
    await send(user, LIST, { intent: 'read-list', column: '1' })
    expect((await openPage(user, LIST)).text).toContain('30 prompts ; 100 started before')
    expect((await openPage(user, BULK)).text).toContain('Open the list of prompts')
  })

  test('U-SHEET-1: a workbook is read as it is: its first sheet, or another one', async () => {
    const user = await newUser()
    const sheets = {
      Ideas: [
        ['No', 'Prompt'],
        ['1', 'A red kite,\n"slowly"'],
        ['2', 'Two cats'],
      ],
      Other: [['A lake'], ['A hill']],
    }
    const merged = '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>'
    const file = new File([new Uint8Array(workbookOf(sheets, merged))], 'plan.xlsx')
    expect((await upload(user, file)).location).toBe(LIST)
    const first = await openPage(user, LIST)
    expect(first.text).toContain('2 prompts The workbook has merged cells')
    expect(first.text).toContain('Sheet: Ideas')
    await send(user, LIST, { intent: 'leave-row', row: '0' })
    await send(user, LIST, { intent: 'read-sheet', sheet: '1' })
    const other = await openPage(user, LIST)
    expect(other.text).toContain('Sheet: Other')
    expect(other.html).toContain('A hill')
    expect((await send(user, LIST, { intent: 'read-sheet', sheet: '7' })).status).toBe(400)
    await start(user)
    expect((await made(user)).sort()).toEqual(['A hill', 'A lake'])
    const again = await newUser()
    await upload(again, file)
    await start(again)
    expect((await made(again)).sort()).toEqual(['A red kite,\n"slowly"', 'Two cats'])
  })

  test('U-SHEET-2: a workbook that cannot be read is refused in words', async () => {
    const user = await newUser()
    const said = async (bytes: Buffer, name = 'plan.xlsx') => {
      const file = new File([new Uint8Array(bytes)], name)
      const fields = { intent: 'add-file', promptLines: '', aspectRatio: 'portrait', file }
      return (await submitForm(user, BULK, fields, { shown: BULK })).text()
    }
    expect(await said(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toContain(
      'plan.xlsx is a workbook of an old kind. Save it as .xlsx or as CSV',
    )
    expect(await said(Buffer.from('x'))).toContain('plan.xlsx is not an Excel workbook')
    expect(await said(workbookOf({ A: [] }))).toContain('plan.xlsx is empty')
    expect(await said(Buffer.alloc(950_000))).toContain('larger than')
    expect(await said(Buffer.from('x'), 'plan.xls')).toContain('This kind of workbook is not read')
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

/** While this runs, a list cannot record which of its rows were ordered. */
async function whileListsCannotChange(run: () => Promise<void>): Promise<void> {
  await product.db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'forced'; end $$;
    create trigger refuse before update or delete on drafts
      for each row when (old.kind = 'list') execute function refuse()`)
  try {
    await run()
  } finally {
    await product.db.query('drop function refuse cascade')
  }
}

describe('no row is ordered twice', () => {
  const twoRows = (user: TestUser) =>
    upload(user, new File(['id\tprompt\n1\tA boat\n2\tA kite'], 'two.tsv'))

  test('lists: what ends a start before its rows are marked ends its batch too', async () => {
    const user = await newUser()
    await twoRows(user)
    await whileListsCannotChange(async () => {
      expect((await start(user)).status).toBe(500)
    })
    expect(await made(user)).toEqual([])
    expect((await openPage(user, LIST)).text).toContain('Generate 2 Video(s)')
    await start(user)
    expect((await made(user)).sort()).toEqual(['A boat', 'A kite'])
  })

  const numbered = (user: TestUser, count: number) => {
    const rows = Array.from({ length: count }, (_, i) => `${i}\tA scene ${i}`).join('\n')
    return upload(user, new File([`id\tprompt\n${rows}`], 'rows.tsv'))
  }

  test.each([2, 130])('lists: of %i rows, a form sent twice starts one batch', async (count) => {
    const user = await newUser()
    await numbered(user, count)
    const fields = await startForm(user)
    const started = await send(user, LIST, fields)
    expect(started.location).toMatch(/batch=/)
    // The list may be gone by now.
    expect(await send(user, LIST, fields, BULK)).toEqual(started)
    expect(await made(user)).toHaveLength(Math.min(count, 100))
  })

  test.each([2, 130])('lists: of %i rows, two tabs at once start one batch', async (count) => {
    const user = await newUser()
    await numbered(user, count)
    const tabs = [await startForm(user), await startForm(user)]
    const responses = await Promise.all(tabs.map((fields) => send(user, LIST, fields, BULK)))
    const started = responses.filter(({ location }) => location?.includes('batch='))
    expect(started).toHaveLength(1)
    expect(await made(user)).toHaveLength(Math.min(count, 100))
  })

  test('lists: a tab that shows the list as it was does not start what the list is now', async () => {
    const user = await newUser()
    await numbered(user, 3)
    const fields = await startForm(user)
    for (const row of ['', ' ', '0x0', '1e0', '-0', '0.5'])
      expect((await send(user, LIST, { intent: 'leave-row', row })).status, `A15: ${row}`).toBe(400)
    await send(user, LIST, { intent: 'leave-row', row: '0' })
    expect((await send(user, LIST, fields)).status).toBe(409)
    expect(await made(user)).toEqual([])
    await start(user)
    expect((await made(user)).sort()).toEqual(['A scene 1', 'A scene 2'])
    // Nothing is left of the list, and the other tab is told so.
    const late = await send(user, LIST, fields, BULK)
    expect(late).toEqual({ status: 303, location: BULK })
    expect((await openPage(user, BULK)).text).toContain('No list of prompts')
  })

  test('lists: rows ordered before each column had its own are not offered again', async () => {
    const user = await newUser()
    await numbered(user, 3)
    await product.db.query(
      `update drafts set text = (text::jsonb || '{"done": [0, 2]}')::text
       where kind = 'list' and user_id = $1`,
      [user.userId],
    )
    expect((await openPage(user, LIST)).text).toContain('1 prompt ; 2 started before')
    await start(user)
    expect(await made(user)).toEqual(['A scene 1'])
  })
})

describe('another column', () => {
  test('lists: its rows are shown where the first column is empty, too', async () => {
    const user = await newUser()
    const csv = 'prompt,caption,empty\nA boat,One,\n,Two,\nA kite,,\n'
    await upload(user, new File([csv], 'captions.csv'))
    expect((await openPage(user, LIST)).text).toContain('2 prompts')
    const empty = await send(user, LIST, { intent: 'read-list', column: '2' })
    expect(empty.status).toBe(400)
    await send(user, LIST, { intent: 'read-list', column: '1' })
    await start(user)
    expect((await made(user)).sort()).toEqual(['One', 'Two'])
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

  test('lists: messages of a chat are shown first, and their stamps go with one press', async () => {
    const user = await newUser()
    const promptLines =
      '[9:42 PM, 11/24/2026] Sara: A kite\nSara, [24.11.2026 21:42]:\nA boat\n24/11/2026, 21:43 - Sara: <Media omitted>'
    const asked = await send(user, BULK, {
      intent: 'start-batch',
      promptLines,
      aspectRatio: 'portrait',
    })
    expect(asked).toEqual({ status: 303, location: LIST })
    expect((await openPage(user, LIST)).text).toContain('Remove 3 chat stamps')
    await send(user, LIST, { intent: 'leave-marked', mark: 'stamp' })
    await start(user)
    expect((await made(user)).sort()).toEqual(['A boat', 'A kite'])
    expect((await openPage(user, BULK)).html).not.toContain('Sara')
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

describe('X11: what a list says beside its prompts goes into the box with them, or it is said', () => {
  const given =
    'Prompt\tRatio\tNegative prompt\nA kite\tlandscape\tno birds\nA boat\tlandscape\tno birds'
  const move = async (promptLines: string) => {
    const user = await newUser()
    await send(user, BULK, { intent: 'review-batch', promptLines, aspectRatio: 'portrait' })
    await send(user, LIST, { intent: 'list-to-box' })
    return openPage(user, BULK)
  }

  test('shared settings are taken', async () => {
    const { html, text } = await move(given)
    expect(html).toContain('no birds</textarea>')
    const landscape = /<input[^>]*value="landscape"[^>]*>/.exec(html)?.[0] ?? ''
    expect(landscape).toContain('checked')
    expect(text).not.toContain('left behind')
  })

  test('names are not', async () => {
    const { text } = await move(given.replaceAll('Negative prompt', 'Name'))
    expect(text).toContain('Settings, names or pictures of the rows were left behind')
  })
})

describe('issue 39.4: written once, made many', () => {
  const startBatch = (user: TestUser, promptLines: string) =>
    send(user, BULK, { intent: 'start-batch', promptLines, aspectRatio: 'portrait' })

  test('each variant is a prompt, shown before anything starts, or the row is used as typed', async () => {
    const user = await newUser()
    const typed = 'A {red|blue} kite over the {sea|hill}\nSnow\n{"scene": "a|b"}'
    expect((await startBatch(user, typed)).location).toBe(LIST)
    expect(await made(user)).toEqual([])
    const { text } = await openPage(user, LIST)
    expect(text).toContain('6 prompts')
    expect(text).toContain('1 row with variants')
    expect(text).toContain('A blue kite over the hill')
    expect(text).toContain('Generate 6 Video(s)')
    await send(user, LIST, { intent: 'leave-row', row: '3' })
    await start(user)
    expect((await made(user)).sort()).toEqual(
      ['A blue kite over the sea', 'A red kite over the hill', 'A red kite over the sea', 'Snow']
        .concat('{"scene": "a|b"}')
        .sort(),
    )

    const other = await newUser()
    await startBatch(other, typed)
    await send(other, LIST, { intent: 'write-out', isWrittenOut: 'no' })
    await start(other)
    expect((await made(other)).sort()).toEqual(typed.split('\n').sort())
  })

  test('a sentence is written with the cells of each row; a name that is no column is refused', async () => {
    const user = await newUser()
    const cells = 'Animal\tWhere\tPrompt\nA cat\tby the sea\tIt waits\nA dog\tin snow\tIt runs'
    await startBatch(user, cells)
    const write = (wording: string) => send(user, LIST, { intent: 'write-list', wording })
    expect((await write('{Colour} {Animal}')).status).toBe(400)
    expect((await openPage(user, LIST)).text).toContain('It waits')
    expect((await openPage(user, LIST)).text).toContain('Not used: "Animal", "Where"')
    await write('{animal} {where}. {prompt}, {at dawn|at night}')
    const { text } = await openPage(user, LIST)
    expect(text).toContain('Wording used')
    expect(text).toContain('4 prompts')
    expect(text).not.toContain('Not used')
    await start(user)
    expect((await made(user)).sort()).toEqual([
      'A cat by the sea. It waits, at dawn',
      'A cat by the sea. It waits, at night',
      'A dog in snow. It runs, at dawn',
      'A dog in snow. It runs, at night',
    ])
  })

  test('issue 39.4: an empty cell that the wording names marks its row', async () => {
    const user = await newUser()
    await startBatch(user, 'Animal\tPlace\tPrompt\nA cat\tRome\tIt waits\nA dog\t\tIt runs')
    await send(user, LIST, { intent: 'write-list', wording: '{Animal} in {Place}. {prompt}' })
    expect((await openPage(user, LIST)).text).toMatch(/A dog in \. It runs.*Empty cell/)
    await send(user, LIST, { intent: 'leave-marked', mark: 'gap' })
    expect((await openPage(user, LIST)).text).toContain('1 prompt')
  })

  test('issue 39.4: the same text leads back to its list, another one says which list it replaced', async () => {
    const user = await newUser()
    const cells = 'A\tB boat\nA\tB kite\nA\tB sail'
    await startBatch(user, cells)
    await send(user, LIST, { intent: 'write-list', wording: 'Noir: {prompt}' })
    await send(user, LIST, { intent: 'leave-row', row: '1' })
    await startBatch(user, cells)
    const again = (await openPage(user, LIST)).text
    expect(again).toContain('Noir: B boat')
    expect(again).toContain('2 prompts')
    expect(again).not.toContain('replaces')
    await startBatch(user, `${cells}\nA\tB hill`)
    const other = (await openPage(user, LIST)).text
    expect(other).toContain('This list replaces the one from the pasted text.')
    expect(other).toContain('4 prompts')
    await startBatch(user, cells)
    expect((await openPage(user, LIST)).text).not.toContain('replaces')
  })

  test('plain lines are opened as a list on request, and keep their text in the box', async () => {
    const user = await newUser()
    const lines = 'A boat\nA kite\n{"scene": "a hill"}'
    const opened = await send(user, BULK, {
      intent: 'open-list',
      promptLines: lines,
      aspectRatio: 'portrait',
    })
    expect(opened.location).toBe(LIST)
    await send(user, LIST, { intent: 'write-list', wording: 'Slow motion: {prompt}' })
    expect((await openPage(user, BULK)).html).toContain('A boat\nA kite\n')
    await start(user)
    expect((await made(user)).sort()).toEqual(
      ['Slow motion: A boat', 'Slow motion: A kite'].concat('{"scene": "a hill"}'),
    )
    expect((await openPage(user, BULK)).html).not.toContain('A boat\nA kite')
  })

  test('a wording is saved once, used for another list and removed; one with an unknown column is not saved', async () => {
    const user = await newUser()
    const write = (wording: string, intent = 'save-wording') =>
      send(user, LIST, { intent, wording })
    const saved = async () =>
      (await openPage(user, LIST)).html.match(/aria-label="Use: [^"]*/g)?.map((it) => it.slice(17))
    await startBatch(user, 'Animal\tPrompt\nA cat\tIt waits\nA dog\tIt runs')
    expect((await write('{Colour} {prompt}')).status).toBe(400)
    expect(await saved()).toBeUndefined()
    for (const _ of [1, 2]) await write('{Animal}: {prompt}')
    await write('In rain: {prompt}')
    for (const nothing of ['', '{prompt}']) await write(nothing)
    expect((await saved())?.sort()).toEqual(['In rain: {prompt}', '{Animal}: {prompt}'])
    await send(user, LIST, { intent: 'discard-list' })

    await startBatch(user, 'A\tB boat\nA\tB kite')
    expect((await write('{Animal}: {prompt}', 'write-list')).status).toBe(400)
    expect((await write('In rain: {prompt}', 'write-list')).status).toBe(303)
    const ids = (
      await product.db.query<{ hash: string }>(`select hash from saved_wordings order by text`)
    ).rows
    const stranger = await newUser()
    await startBatch(stranger, 'A\tB boat')
    expect((await openPage(stranger, LIST)).text).not.toContain('Saved wordings')
    for (const one of [stranger, user])
      await send(one, LIST, { intent: 'remove-wording', id: ids[0]!.hash })
    expect(await saved()).toHaveLength(1)
    for (let i = 0; i < 19; i += 1) await write(`{prompt} ${i}`)
    expect((await write('{prompt}, one more')).status).toBe(409)
    expect(await saved()).toHaveLength(20)
  })

  test('of a wording a part is started, and another wording has prompts of its own', async () => {
    const user = await newUser(3)
    await startBatch(user, '{A|B|C|D} kite')
    await start(user)
    expect((await openPage(user, LIST)).text).toContain('1 prompt ; 3 started before')
    await send(user, LIST, { intent: 'write-list', wording: '{prompt} in rain' })
    expect((await openPage(user, LIST)).text).toContain('4 prompts')
    await send(user, LIST, { intent: 'write-list', wording: '{prompt}' })
    expect((await openPage(user, LIST)).text).toContain('1 prompt ; 3 started before')
  })

  test('a file whose rows stand for millions of prompts is refused before they are written', async () => {
    const user = await newUser()
    // Each row alone makes no more than a list takes.
    const row = '{a|b|c|d|e|f|g|h|i|j}'.repeat(3) + '{a|b|c|d|e}'
    const refused = await upload(user, new File([`${row}\n`.repeat(4900)], 'many.txt'))
    expect(refused.status).toBe(400)
    expect((await openPage(user, BULK)).status).toBe(200)
  })

  test('too many variants are refused, and the text stays in the box', async () => {
    const user = await newUser()
    const typed = '{a|b|c|d|e|f|g|h|i|j}'.repeat(5)
    expect((await startBatch(user, typed)).status).toBe(400)
    expect((await openPage(user, BULK)).html).toContain(typed)
  })
})
