import { afterEach, describe, expect, test } from 'vitest'
import type { BatchReceipt } from '../../app/domain/batches/schemas'
import type { BatchView } from '../../app/domain/batches/types'
import type { Pulse } from '../../app/domain/videos/gallery/pulse'
import { days } from '../../app/lib/time'
import type { TestUser, UserColumns } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { formTokenIn, sendForm, submitForm } from '../support/page'
import { makeVideos, takeBack, tellProgress, type VideoPage } from '../support/videos'

// No worker runs: accepted videos keep their state, and no test waits for rendering.
const product = useInstallation()
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))

type User = TestUser

const newUser = (columns: Partial<UserColumns> = {}) =>
  product.user({
    plan: 'Professional',
    video_limit: 7,
    speed_limit: 3,
    video_generation_speed: 60,
    ...columns,
  })

const words = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')

async function open(
  user: Pick<User, 'send'>,
  path: string,
): Promise<{ html: string; text: string }> {
  const html = await (await user.send('GET', path)).text()
  return { html, text: words(html) }
}

/** Sends a form of a page as a browser without scripts does, with the form token of the page. */
async function send(user: User, page: string, fields: Record<string, string | File>) {
  return submitForm(user, page, { aspectRatio: 'portrait', ...fields })
}

/** Sends the form for one video. */
const sendPrompt = (user: User, fields: Record<string, string>) =>
  send(user, '/app?tab=text', { intent: 'generate', ...fields })

const BULK = '/app?tab=bulk'
const lines = (n: number) => Array.from({ length: n }, (_, i) => `prompt ${i + 1}`).join('\n')
const boxOf = ({ html }: { html: string }) =>
  /<textarea id="promptLines"[^>]*>([\s\S]*?)<\/textarea>/
    .exec(html)?.[1]
    ?.replaceAll('\r', '')
    .trimStart() ?? ''
const videosOf = async (user: User) =>
  (await user.get<VideoPage>('/api/videos?limit=100')).body.videos
const batchesOf = async (user: User) => (await user.get<BatchView[]>('/api/batches')).body

test('A4: a text of too many lines is refused in words, and the rest of the form is kept', async () => {
  const user = await newUser()
  const fields = {
    intent: 'review-batch',
    negativePrompt: 'no fog',
    promptLines: 'a\n'.repeat(20_001),
  }
  const response = await send(user, BULK, fields)
  const html = await response.text()
  expect(response.status).toBe(400)
  expect(words(html)).toContain('This text has more than 20,000 lines. Send it in several parts.')
  expect(words(html)).toContain('Back shows it again')
  expect(html).toContain('no fog')
  expect(boxOf({ html })).toBe('')
  // With scripts the text is still in its box.
  const scripted = await send(user, BULK, { ...fields, scripted: 'Bulk Generation Failed' })
  expect(words(await scripted.text())).not.toContain('Back shows it again')
})

describe('the receipt', () => {
  test('K9: of two windows, none gets a receipt for what the other has typed', async () => {
    const user = await newUser()
    const review = (promptLines: string) =>
      send(user, BULK, { intent: 'review-batch', promptLines })
    const [one, other] = [await review('from one window'), await review('from the other')]
    const [lost = '', kept = ''] = [one, other].map(({ headers }) => headers.get('location') ?? '')
    const late = await user.send('GET', lost, { redirect: 'manual' })
    expect([late.status, late.headers.get('location')]).toEqual([303, '/app?tab=bulk'])
    const box = await open(user, BULK)
    expect(box.text).toContain('Another window has changed the box')
    expect(boxOf(box)).toBe('from the other')
    expect((await open(user, kept)).text).toContain('from the other')
    // As a link to it that somebody has kept.
    expect((await open(user, '/app/receipt')).text).toContain('from the other')
  })

  test('U-QUOTA-4: with seven left today seven are offered and accepted, and page and call agree', async () => {
    const user = await newUser()
    const response = await send(user, BULK, { intent: 'review-batch', promptLines: lines(7) })
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/app\/receipt\?of=\d+$/),
    ])
    expect(await batchesOf(user)).toEqual([])
    const { text } = await open(user, '/app/receipt')
    expect(text).toContain('After this: 7 of 7 today, 0 left')
    expect(text).toContain('3 rounds, 3 videos every 60 seconds')
    expect(text).toContain('Generate 7 Video(s)')

    const started = await send(user, '/app/receipt', {
      intent: 'start-batch',
      promptLines: lines(7),
    })
    expect(started.status).toBe(303)
    const other = await newUser()
    const call = await other.post<BatchReceipt>('/api/videos/bulk-generate', {
      prompts: lines(7).split('\n'),
    })
    expect(call.status).toBe(201)
    expect(call.body).toMatchObject({ totalVideos: 7, speedLimit: 3, delaySeconds: 60 })
    const [batch] = await batchesOf(user)
    expect(batch).toMatchObject({ totalVideos: 7, speedLimit: 3, delaySeconds: 60 })
    const after = await open(user, started.headers.get('location') ?? '')
    expect(after.text).toContain('Bulk Generation Started! 🚀')
    expect(after.text).toContain('7 videos queued. Processing 3 video(s) every 60 seconds.')
    expect(after.text).toContain('Processing Bulk Generation...')
    expect(after.text).toContain('0 of 7')
    expect(after.text).toContain('Stop All Process')
    expect(boxOf(after)).toBe('')
  })

  test('U-QUOTA-4: eight are refused as a whole by page and call, and the page offers to run seven', async () => {
    const user = await newUser()
    const sentence = 'You have 7 videos remaining today; 8 requested'
    const call = await user.post<{ error: string }>('/api/videos/bulk-generate', {
      prompts: lines(8).split('\n'),
    })
    expect([call.status, call.body.error]).toEqual([429, sentence])
    const refused = await send(user, BULK, { intent: 'start-batch', promptLines: lines(8) })
    expect(refused.status).toBe(429)
    const html = await refused.text()
    expect(words(html)).toContain(sentence)
    expect(words(html)).toContain('Run 7 now, hold the rest')
    // Issue 51.4: it is a question, and nothing failed.
    expect(words(html)).not.toContain('Bulk Generation Failed')
    expect(boxOf({ html })).toBe(lines(8))
    expect(await batchesOf(user)).toEqual([])
    await send(user, BULK, { intent: 'review-batch', promptLines: lines(8) })
    const { text } = await open(user, '/app/receipt')
    expect(text).toContain('8 needed, 7 of 7 left today')

    const part = await send(user, BULK, {
      intent: 'run-part-hold',
      part: '7',
      promptLines: lines(8),
    })
    expect(part.status).toBe(303)
    expect((await batchesOf(user))[0]?.totalVideos).toBe(7)
    expect(boxOf(await open(user, BULK))).toBe('prompt 8')
  })

  test('issue 39.1: what the end of the plan leaves waiting is said before and after, and no time after it', async () => {
    const expiry = new Date(Date.now() + days(2))
    const user = await newUser({ video_limit: 3, expiry_date: expiry })
    const day = new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
    // Three start today, three on each of the next three days; the plan works one day after its last.
    const note = `Your plan ends on ${day.format(expiry)}. About 28 of these prompts wait until it is renewed.`
    await send(user, BULK, { intent: 'review-batch', promptLines: lines(40) })
    const receipt = await open(user, '/app/receipt')
    expect(receipt.text.split(note)).toHaveLength(3)
    expect(receipt.text).toMatch(/Next days 3 a day Plan/)
    expect(receipt.text).toMatch(/Today’s videos ready by about/)
    expect(receipt.text).not.toContain('the last ones')
    const order = { intent: 'run-over-days', promptLines: lines(40) }
    const started = await send(user, '/app/receipt', order)
    const panel = await open(user, started.headers.get('location') ?? '')
    const [batch] = await batchesOf(user)
    expect(batch).toMatchObject({ finishEstimate: null, carried: { beyondPlan: { prompts: 28 } } })
    for (const { text } of [panel, await open(user, `/batches/${batch?.id}`)]) {
      expect(text).toContain(note)
      expect(text).toMatch(
        /37 prompts wait for the next days: the next 3 from 00:00 on \d+ \w+ \(UTC\)\s?, day 2 of 14/,
      )
      expect(text).not.toContain('Ready by')
    }
    const call = await (
      await newUser({ video_limit: 3, expiry_date: expiry })
    ).post<BatchReceipt>('/api/videos/bulk-generate', {
      prompts: lines(40).split('\n'),
      carryOver: true,
    })
    expect(call.body.finishEstimate).toBeNull()
  })

  test('issue 39.1: the receipt has the times of the days and of the line, and one thing to do', async () => {
    const user = await newUser({ expiry_date: null })
    const receiptOf = async (n: number) => {
      await send(user, BULK, { intent: 'review-batch', promptLines: lines(n) })
      return open(user, '/app/receipt')
    }
    const long = await receiptOf(100)
    expect(long.text).toMatch(/Next days 7 a day, the last ones from 00:00 on \d+ \w+ \(UTC\)/)
    expect(long.text).toMatch(
      /Run 7 now, the rest on the next days.*Run 7 now, hold the rest.*Run 7 now The other/,
    )
    await user.post('/api/videos/bulk-generate', { prompts: lines(9).split('\n'), carryOver: true })
    const { html, text } = await receiptOf(8)
    const starts = / Starts about (\S+ on \d+ \w+)/.exec(text)?.[1]
    expect(text).not.toContain('Run them on the next days')
    expect(html).not.toMatch(/value="start-batch"/)
    await send(user, '/app/receipt', { intent: 'queue-batch', promptLines: lines(8) })
    const [batch] = await batchesOf(user)
    const line = await open(user, `/batches/${batch?.id}`)
    expect(/Next in line, starts about (\S+ on \d+ \w+)/.exec(line.text)?.[1]).toBe(starts)
    expect(starts).toBeDefined()
  })

  test('issue 39.1: a batch that is paused or waits for a day says so, and is not processed', async () => {
    const user = await newUser({ video_limit: 1 })
    await user.post('/api/videos/generate', { prompt: 'the one of today' })
    const order = { prompts: ['a', 'b'], carryOver: true }
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', order)
    expect(body).toMatchObject({ totalVideos: 2, carried: 2 })
    const waits = await open(user, BULK)
    expect(waits.text).toMatch(/Waiting for 00:00 on \d+ \w+ \(UTC\)/)
    expect(waits.text).toContain('A batch waits for the next day (0 of 2 done)')
    await user.post(`/api/batches/${body.batchId}/pause`)
    const paused = await open(user, BULK)
    expect(paused.text).toContain('A batch is paused (0 of 2 done)')
    for (const { text } of [waits, paused])
      expect(text).not.toContain('Processing Bulk Generation...')
  })

  test('U-BULK-8: one batch at a time: the message and the link to the running one', async () => {
    const user = await newUser()
    await user.post('/api/videos/bulk-generate', { prompts: ['a'] })
    const { html, text } = await open(user, BULK)
    expect(text).toContain('One batch runs at a time')
    expect(html).toMatch(/<button[^>]*value="review-batch"[^>]* disabled=""/)
    const second = await send(user, BULK, { intent: 'start-batch', promptLines: 'kept' })
    expect(second.status).toBe(409)
    const response = await second.text()
    expect(words(response)).toContain('A batch is already being processed.')
    expect(boxOf({ html: response })).toBe('kept')
  })
})

describe('refusals keep what was typed', () => {
  test.each([
    ['U-BULK-6: only white space', ' \n ', 'No Prompts Found', 'Please enter at least one prompt'],
    [
      'U-BULK-7: 101 prompts',
      lines(101),
      'Too Many Prompts',
      'Maximum 100 prompts allowed at once',
    ],
    [
      'U-CONST-1: a long line',
      `a\n\n${'x'.repeat(10_001)}`,
      'Bulk Generation Failed',
      'Line 3 can have',
    ],
  ])('%s', async (_name, promptLines, title, description) => {
    const user = await newUser({ video_limit: 200 })
    for (const intent of ['start-batch', 'review-batch']) {
      const response = await send(user, BULK, { intent, promptLines })
      expect(response.status).toBe(400)
      const html = await response.text()
      expect(words(html)).toContain(title)
      expect(words(html)).toContain(description)
      expect(boxOf({ html }).trim()).toBe(promptLines.trim())
    }
  })

  test('U-BULK-7: a hundred prompts are accepted', async () => {
    const user = await newUser({ video_limit: 100 })
    const response = await send(user, BULK, { intent: 'start-batch', promptLines: lines(100) })
    expect(response.status).toBe(303)
    expect((await batchesOf(user))[0]?.totalVideos).toBe(100)
  })

  test('U-T2V-6: a blank single prompt is refused, and the negative prompt beside it is kept', async () => {
    const user = await newUser()
    const response = await sendPrompt(user, { prompt: '  ', negativePrompt: 'no people' })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(words(html)).toContain('Generation failed')
    expect(html).toContain('no people')
  })

  test('after the session has ended, signing in restores the text into its box', async () => {
    const user = await newUser()
    const { html } = await open(user, BULK)
    const formToken = formTokenIn(html)
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
    const fields = {
      intent: 'start-batch',
      formToken,
      promptLines: 'one\ntwo',
      negativePrompt: 'fog',
    }
    const turned = await user.submit(BULK, fields)
    expect(turned.status).toBe(307)
    const resume = turned.headers.get('location') ?? ''
    expect(resume).toBe('/resume?redirectTo=%2Fapp%3Ftab%3Dbulk')
    const asked = await (await user.submit(resume, fields)).text()
    expect(words(asked)).toContain('Your session has ended')
    expect(asked).toMatch(/name="promptLines" value="one\r?\ntwo"/)
    const typed = { intent: 'resume', promptLines: 'one\ntwo', negativePrompt: 'fog' }
    const wrong = await user.submit(resume, { ...typed, username: user.username, password: 'nope' })
    expect(wrong.status).toBe(401)
    expect(await wrong.text()).toMatch(/name="promptLines" value="one\r?\ntwo"/)
    const right = await user.submit(resume, {
      ...typed,
      username: user.username,
      password: 'secret-1',
    })
    expect([right.status, right.headers.get('location')]).toEqual([303, BULK])
    const back = await open(user, BULK)
    expect(boxOf(back)).toBe('one\ntwo')
    expect(back.html).toContain('fog')
    expect(await batchesOf(user)).toEqual([])
  })

  test('after the session has ended, an edit is restored in its open dialog, and other drafts are kept', async () => {
    const user = await newUser()
    const [video] = await makeVideos(product, user.userId, [{ prompt: 'A boat' }])
    const dialog = `dialog=edit&on=${video?.id ?? ''}`
    await send(user, BULK, { intent: 'add-example-0', promptLines: 'in the bulk box' })
    const { html } = await open(user, '/app')
    const formToken = formTokenIn(html)
    for (const page of ['/dashboard', '/app', `/videos/${video?.id ?? ''}`]) {
      await product.db.query('delete from sessions where user_id = $1', [user.userId])
      const edit = { intent: 'edit', formToken, on: video?.id ?? '', prompt: `Typed on ${page}` }
      const turned = await user.submit(`${page}?${dialog}`, edit)
      const resume = turned.headers.get('location') ?? ''
      expect([turned.status, resume]).toEqual([307, expect.stringMatching(/^\/resume\?/)])
      const { username } = user
      const signIn = { ...edit, intent: 'resume', username, password: 'secret-1' }
      const right = await user.submit(resume, signIn)
      expect(right.headers.get('location')).toBe(`${page}?${dialog}&typed=yes`)
      const back = await open(user, `${page}?${dialog}&typed=yes`)
      expect(back.html).toContain(`Typed on ${page}</textarea>`)
      expect((await open(user, `${page}?${dialog}`)).html).toContain('A boat</textarea>')
    }
    expect(boxOf(await open(user, BULK))).toContain('in the bulk box')
    expect((await open(user, '/app')).html).not.toContain('Typed on')
  })

  test('after the session has ended, an action without text returns to its question, and a script gets 401', async () => {
    const user = await newUser()
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
    const question = '/dashboard?dialog=retry-all'
    const turned = await user.submit(question, { intent: 'retry-all' })
    const resume = turned.headers.get('location') ?? ''
    expect(words(await (await user.submit(resume, { intent: 'retry-all' })).text())).toContain(
      'Nothing was changed. Sign in again to continue.',
    )
    const script = await user.send('POST', '/resources/videos/x/edit', {
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: '{"prompt":"x"}',
    })
    expect([script.status, await script.json()]).toMatchObject([401, { error: 'Please sign in' }])
  })

  test('after the session has ended, with scripts, the sign-in page reports it once', async () => {
    const user = await newUser()
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
    const turned = await user.submit(`${BULK}&_data=routes%2F_user%2B%2Fapp`, {
      promptLines: 'one',
    })
    const led = '/login?redirectTo=%2Fapp%3Ftab%3Dbulk'
    expect([turned.status, turned.headers.get('x-remix-redirect')]).toEqual([204, led])
    expect((await open(user, led)).text).toContain('Your session has ended')
    expect((await open(user, led)).text).not.toContain('Your session has ended')
  })

  test('after the session has ended elsewhere, the sign-in page says so, and not after signing out', async () => {
    /** Opens a page that requires signing in, and returns the sign-in page that appears instead. */
    const signInPage = async (user: TestUser) => {
      const turned = await user.send('GET', '/dashboard')
      return (await open(user, turned.headers.get('location') ?? '')).text
    }
    const [ended, signedOut] = [await newUser(), await newUser()]
    await product.db.query('delete from sessions where user_id = $1', [ended.userId])
    expect(await signInPage(ended)).toContain('Your session has ended')
    await signedOut.post('/api/auth/logout', {})
    expect(await signInPage(signedOut)).not.toContain('Your session has ended')
  })

  test('an invalid edit does not fill the form of a new prompt', async () => {
    const user = await newUser()
    const [made] = await makeVideos(product, user.userId, [{ prompt: 'A quiet harbour' }])
    const id = made?.id ?? ''
    const page = `/app?dialog=edit&on=${id}`
    const edited = { intent: 'edit', on: id, prompt: 'w'.repeat(10_001) }
    const response = await send(user, page, edited)
    expect(response.status).toBe(400)
    const html = (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '')
    expect(html).toContain('Prompt can have at most 10,000 characters')
    expect(html).not.toContain('id="prompt-error"')
    // The text is in the dialog, once. The form behind it is unchanged.
    expect(html.match(/w{10001}/g)).toHaveLength(1)
    expect(html).toMatch(/<textarea id="prompt"[^>]*>\s*<\/textarea>/)
  })

  test('while the database does not respond, pages report it and that nothing is lost', async () => {
    const user = await newUser()
    const blocker = await product.db.connect()
    await blocker.query('begin')
    await blocker.query('lock table drafts in access exclusive mode')
    const data = '/app?_data=routes%2F_user%2B%2Fapp'
    const [page, asked] = await Promise.all([user.send('GET', '/app'), user.send('GET', data)])
    await blocker.query('rollback')
    blocker.release()
    expect([page.status, asked.status]).toEqual([503, 503])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    const html = await page.text()
    expect(words(html)).toContain('One moment')
    expect(words(html)).toContain('Nothing was lost')
    expect(html).toContain('http-equiv="refresh"')
    // The browser throws it with its status, by which the page chooses its text.
    expect(asked.headers.get('x-remix-catch')).toBe('yes')
  })
})

describe('intake', () => {
  const upload = (user: User, file: File, promptLines = '') =>
    send(user, BULK, { intent: 'add-file', promptLines, file })

  test('a file is shown as a list, and what was typed stays in the box', async () => {
    const user = await newUser()
    const response = await upload(user, new File(['two\r\n\r\n three '], 'more.txt'), 'one')
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app/list'])
    expect((await open(user, '/app/list')).text).toContain('2 prompts')
    await send(user, '/app/list', { intent: 'list-to-box' })
    const table = new File(['prompt\n"four, with\na break"\n'], 'table.csv')
    await upload(user, table, boxOf(await open(user, BULK)))
    await send(user, '/app/list', { intent: 'list-to-box' })
    const page = await open(user, BULK)
    expect(boxOf(page)).toBe('one\ntwo\nthree\nfour, with a break')
    expect(page.text).toContain('1 prompt added')
  })

  test('a file that was chosen and not added is read in place of an empty box', async () => {
    const user = await newUser()
    const file = new File(['one\ntwo\n'], 'two.txt')
    const intent = 'review-batch'
    const response = await send(user, BULK, {
      intent,
      promptLines: ' ',
      aspectRatio: 'portrait',
      file,
    })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/app/list'])
    expect((await open(user, '/app/list')).text).toContain('2 prompts')
  })

  test('an unreadable file is reported, and the text is kept', async () => {
    const user = await newUser()
    const response = await upload(user, new File(['x'], 'clip.mp4'), 'typed')
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(words(html)).toContain('Choose a .xlsx, .txt, .tsv, .jsonl or .csv file')
    expect(boxOf({ html })).toBe('typed')
  })

  test('U-BULK-4: without scripts the server adds the example', async () => {
    const user = await newUser()
    // PostgreSQL stores no NUL. It is removed, and the rest is kept.
    const typed = { promptLines: 'mi\u0000ne', negativePrompt: 'fo\u0000g' }
    const { status } = await send(user, BULK, { intent: 'add-example-1', ...typed })
    expect(status).toBe(303)
    const page = await open(user, BULK)
    expect(boxOf(page)).toMatch(/^mine\nSnow falling/)
    expect(page.html).toMatch(/<textarea id="negativePrompt"[^>]*>fog<\/textarea>/)
  })
})

test('issue 39.1: a full line is said before anybody adds to it, also on the receipt', async () => {
  const user = await newUser({ video_limit: 20 })
  const order = () =>
    user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'], queue: true })
  for (let count = 0; count < 5; count++) await order()
  await send(user, BULK, { intent: 'review-batch', promptLines: 'b' })
  const pages = [BULK, '/app/receipt']
  const button = /<button[^>]*value="queue-batch"[^>]*>/
  for (const page of pages) {
    const { text, html } = await open(user, page)
    expect(text).not.toContain('the line is full')
    expect(button.exec(html)?.[0]).not.toContain('disabled')
  }
  await order()
  for (const page of pages) {
    const { text, html } = await open(user, page)
    expect(text).toContain('the line is full: 5 batches wait.')
    expect(button.exec(html)?.[0]).toContain('disabled')
  }
  const refused = await send(user, BULK, { intent: 'queue-batch', promptLines: 'b' })
  expect(refused.status).toBe(409)
})

describe('stopping', () => {
  test('U-BATCH-5, U-BULK-11: Stop asks first, then stops the batch and returns its units', async () => {
    const user = await newUser()
    expect((await open(user, BULK)).text).not.toContain('Stop All Process')
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', {
      prompts: ['a', 'b', 'c'],
    })
    expect((await open(user, BULK)).text).toContain('Stop All Process')
    const asked = await open(user, `${BULK}&dialog=stop-batch`)
    expect(asked.text).toContain('Stop this batch?')
    const response = await send(user, BULK, { intent: 'stop-batch', batchId: body.batchId })
    expect(response.status).toBe(303)
    const { text } = await open(user, response.headers.get('location') ?? '')
    expect(text).toContain('Batch Cancelled ⛔')
    expect(text).toContain('0 ready, 3 cancelled')
    expect(text).toContain('3 videos: cancelled before they were started.')
    expect(text).toContain('0 of 7 videos used today')
    expect(text).not.toContain('Stop All Process')
  })

  test('issue 39.1: Stop says before and after it which batch in line starts then', async () => {
    const user = await newUser({ video_limit: 20 })
    const order = (count: number) =>
      user.post<BatchReceipt>('/api/videos/bulk-generate', {
        prompts: Array.from({ length: count }, (_, i) => `prompt ${i}`),
        queue: true,
      })
    const { body } = await order(2)
    await order(3)
    await order(1)
    const asked = await open(user, `${BULK}&dialog=stop-batch`)
    expect(asked.text).toContain('Then the next batch in line starts: 3 prompts.')
    const form = { intent: 'stop-batch', batchId: body.batchId }
    const { headers } = await send(user, BULK, form)
    const { text } = await open(user, headers.get('location') ?? '')
    expect(text).toContain(
      'and their quota is back. The next batch in line has started: 3 prompts.',
    )
  })

  test('U-BATCH-5: Stop leads back to the tab from which it was pressed', async () => {
    const user = await newUser()
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
    const asked = await open(user, `${BULK.split('?')[0]}?tab=text&dialog=stop-batch`)
    expect(asked.text).toContain('Stop this batch?')
    const form = { intent: 'stop-batch', batchId: body.batchId, tab: 'text' }
    const response = await send(user, BULK, form)
    const location = response.headers.get('location') ?? ''
    expect(location).not.toContain('bulk')
    expect((await open(user, location)).text).toContain('Batch Cancelled ⛔')
  })

  test('issue 51: Stop pressed among the videos leads back to that page, and to no other site', async () => {
    const user = await newUser()
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
    const { html } = await open(user, '/dashboard?status=pending')
    const stop = /href="([^"]*dialog=stop-batch[^"]*)"/.exec(html)?.[1] ?? ''
    const asked = await open(user, stop.replaceAll('&amp;', '&'))
    expect(asked.text).toContain('Stop this batch?')
    expect(asked.html).toContain('name="from" value="/dashboard?status=pending"')
    // Cancel and the cross.
    expect(asked.html.match(/<a[^>]* href="\/dashboard\?status=pending"/g)).toHaveLength(2)
    const strange = await open(user, `${BULK}&dialog=stop-batch&from=//example.com`)
    expect(strange.html).not.toContain('href="//example.com')
    const form = { intent: 'stop-batch', batchId: body.batchId }
    const response = await send(user, BULK, { ...form, from: '/dashboard?status=pending' })
    expect(response.headers.get('location')).toBe('/dashboard?status=pending')
    const next = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
    const other = { ...form, batchId: next.body.batchId, from: '//example.com' }
    expect((await send(user, BULK, other)).headers.get('location')).toMatch(/^\/app\?/)
  })

  test('U-BATCH-6: a batch that has ended cannot be stopped again', async () => {
    const user = await newUser()
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
    await user.post(`/api/batches/${body.batchId}/cancel`)
    const response = await send(user, BULK, { intent: 'stop-batch', batchId: body.batchId })
    expect(response.status).toBe(409)
    const text = words(await response.text())
    expect(text).toContain('Cancel Failed')
    expect(text).toContain('This batch has already ended')
  })
})

describe('the usage page', () => {
  test('shows the ledger: reserved, returned, reset, this month', async () => {
    const user = await newUser()
    await user.post('/api/videos/generate', { prompt: 'A single boat' })
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', {
      prompts: ['first of two', 'second of two'],
    })
    const before = await open(user, '/usage')
    expect(before.text).toContain('3 of 7 videos used today, 4 remaining.')
    expect(before.text).toMatch(/3 of \d+ videos used this month/)
    expect(before.text).toContain('Your daily count resets at')
    expect(before.text).toContain('3 videos every 60 seconds')
    expect(before.text).toContain('A single boat')
    expect(before.text.match(/1 reserved while it is being made/g)).toHaveLength(3)
    await user.post(`/api/batches/${body.batchId}/cancel`)
    const after = await open(user, '/usage')
    expect(after.text).toContain('1 of 7 videos used today, 6 remaining.')
    expect(after.text.match(/Returned: no video was made/g)).toHaveLength(2)
    const other = await open(await newUser(), '/usage')
    expect(other.text).not.toContain('A single boat')
    expect(other.text).toContain('No videos were started on this day.')
  })

  test('shows another day by its address, and today for a day that does not exist', async () => {
    const user = await newUser()
    expect((await open(user, '/usage?day=2026-01-31')).text).toContain('31 January 2026')
    expect((await open(user, '/usage?day=2026-02-31')).text).toContain('Today, ')
    expect((await open(user, '/usage?day=2999-01-01')).text).toContain('Today, ')
    const beyond = await user.send('GET', '/usage?page=9')
    expect(beyond.headers.get('location')).toMatch(/^\/usage\?day=[\d-]+&page=1$/)
  })

  test('shows a gift for today beside the plan, and a plan that has ended', async () => {
    const user = await newUser()
    await product.db.query(
      `insert into quota_days (user_id, day, gifted) values ($1, current_date, 25)`,
      [user.userId],
    )
    const gifted = await open(user, '/usage')
    expect(gifted.text).toContain('0 of 32 videos used today, 32 remaining.')
    expect(gifted.text).toContain('25 of today’s 32 videos are extra, for today only.')
    expect(gifted.text).toMatch(/Videos a day 7 /)
    expect(gifted.text).toMatch(/Today 0\/32 /)
    const days = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 0))
    expect(gifted.text).toContain(`0 of ${7 * days.getUTCDate()} videos used this month.`)
    expect(gifted.text).toContain('Valid until')
    await product.db.query(
      `update users set expiry_date = now() - interval '3 days' where id = $1`,
      [user.userId],
    )
    expect((await open(user, '/usage')).text).toContain('Expired on')
  })
})

describe('the tabs', () => {
  test('U-T2V-1: the heading and three tabs, each with its own address', async () => {
    const user = await newUser()
    const { html, text } = await open(user, '/app')
    expect(/<h1[^>]*>([^<]*)</.exec(html)?.[1]).toBe('Create Videos with AI')
    const tabs = [...html.matchAll(/<a[^>]*role="tab"[^>]*>/g)].map(([tab]) => ({
      to: /href="([^"]*)"/.exec(tab)?.[1],
      isCurrent: tab.includes('aria-selected="true"'),
    }))
    expect(tabs).toEqual([
      { to: '/app?tab=text', isCurrent: true },
      { to: '/app?tab=image', isCurrent: false },
      { to: '/app?tab=bulk', isCurrent: false },
    ])
    for (const name of ['Text to Video', 'Image to Video', 'Bulk Generator'])
      expect(text).toContain(name)
    expect((await open(user, '/app?tab=bulk')).html).toContain('name="promptLines"')
    expect((await open(user, '/app?tab=text')).html).toContain('<textarea id="prompt"')
  })

  test('U-T2V-4: a fresh page has portrait; the selected ratio is used', async () => {
    const user = await newUser()
    const checked = async (path: string) =>
      [...(await open(user, path)).html.matchAll(/<input[^>]*name="aspectRatio"[^>]*>/g)]
        .map(([input]) => input)
        .filter((input) => input.includes(' checked=""'))
        .map((input) => /value="(\w+)"/.exec(input)?.[1])
    expect(await checked('/app')).toEqual(['portrait'])
    expect(await checked(BULK)).toEqual(['portrait'])
    await sendPrompt(user, { prompt: 'wide', aspectRatio: 'landscape' })
    expect((await videosOf(user))[0]).toMatchObject({ prompt: 'wide', aspectRatio: 'landscape' })
  })

  test('U-T2V-2, U-T2V-6, U-T2V-7, U-T2V-8: lines are trimmed; a blank negative prompt is none; the status card follows the video', async () => {
    const user = await newUser()
    const response = await sendPrompt(user, {
      prompt: '  A boat.\r\nThen a storm.  ',
      negativePrompt: ' \n ',
    })
    expect(response.status).toBe(303)
    const [video] = await videosOf(user)
    expect(video?.prompt.replaceAll('\r', '')).toBe('A boat.\nThen a storm.')
    expect(video?.negativePrompt).toBeNull()
    expect(response.headers.get('location')).toBe(`/app?watch=${video?.id}`)
    const { html, text } = await open(user, `/app?watch=${video?.id}`)
    expect(text).toContain('Generation started')
    const card = words(html.slice(html.indexOf('id="status"'), html.indexOf('Your Videos')))
    expect(card).toContain('Generating')
    expect(card).toContain('A boat. Then a storm.')
    expect(card).toContain('Your video will appear here')
    await send(user, BULK, { intent: 'start-batch', promptLines: 'x', negativePrompt: '  fog ' })
    expect((await videosOf(user))[0]?.negativePrompt).toBe('fog')
  })

  test('U-T2V-3: the negative prompt is collapsed, optional, counted and limited to 300', async () => {
    const { html, text } = await open(await newUser(), '/app')
    const fold = /<details[^>]*>\s*<summary[^>]*>Negative Prompt<span> \(optional\)/.exec(html)?.[0]
    expect(fold).toBeDefined()
    expect(fold).not.toMatch(/<details[^>]* open/)
    expect(html).toMatch(/<textarea id="negativePrompt"[^>]*maxLength="300"/i)
    expect(text).toContain('0 / 300'.replaceAll(' ', ''))
  })

  test('U-T2V-5, Q-8: while a video is made the button adds to the line and says how many wait; an empty prompt gets a message', async () => {
    const user = await newUser({ speed_limit: 1, video_limit: 4 })
    const buttonOf = ({ html }: { html: string }) =>
      /<button[^>]*data-submit[^>]*>([^<]*)/.exec(html)?.[1]
    expect(buttonOf(await open(user, '/app'))).toBe('Generate Video')
    const empty = await sendPrompt(user, { prompt: '' })
    expect(empty.status).toBe(400)
    expect(words(await empty.text())).toContain('Please enter a prompt')
    await sendPrompt(user, { prompt: 'one' })
    const idle = await open(user, '/app?tab=text')
    expect(buttonOf(idle)).toBe('Add to the line')
    expect(idle.text).toContain('The next video starts by itself when this one is ready.')
    const second = await sendPrompt(user, { prompt: 'two' })
    // Back to the form, for the next prompt.
    expect(second.headers.get('location')).toBe('/app?tab=text')
    const { text } = await open(user, '/app?tab=text')
    expect(text).toContain(
      'Added to the line The next video starts by itself when this one is ready.',
    )
    expect(text).toContain('1 waits before it. It starts by itself.')
    expect(text).toContain('includes 2 in progress')
    await sendPrompt(user, { prompt: 'three' })
    expect((await open(user, '/app?tab=text')).text).toContain('2 wait before it.')
    // The status card keeps to the one that is first.
    const page = await open(user, '/app')
    const card = words(page.html.slice(page.html.indexOf('id="status"'), page.html.length))
    expect(card.slice(0, card.indexOf('Your video will appear here'))).toContain('one')
    await sendPrompt(user, { prompt: 'four' })
    const full = await open(user, '/app?tab=text')
    expect(full.text).toContain('Run it on the next day')
    const refused = await sendPrompt(user, { prompt: 'five' })
    expect(refused.status).toBe(429)
    expect(words(await refused.text())).toContain('You have 0 videos remaining today; 1 requested')
    expect((await videosOf(user)).map(({ prompt }) => prompt).sort()).toEqual([
      'four',
      'one',
      'three',
      'two',
    ])
  })

  test('Q-8: a page that was loaded before is answered by what is so now', async () => {
    const user = await newUser({ speed_limit: 1 })
    // Two pages show Generate. The first video is the one that is made, the other waits.
    const answers = await Promise.all([1, 2].map((n) => sendPrompt(user, { prompt: `tab ${n}` })))
    const places = answers.map(({ headers }) => headers.get('location')?.replace(/=.*/, ''))
    expect(places.sort()).toEqual(['/app?tab', '/app?watch'])
    expect((await open(user, '/app')).text).toContain('2 of 7 videos used today')
    // What was to be added to the line starts if nothing is made any more.
    for (const { id } of await videosOf(user)) await user.call('DELETE', `/api/videos/${id}`)
    const started = await sendPrompt(user, { prompt: 'late' })
    expect(started.headers.get('location')).toContain('/app?watch=')
  })

  test('U-LAYOUT-10: three examples, cut to fifty characters, each a link that fills the box', async () => {
    const user = await newUser()
    const { html } = await open(user, '/app')
    const list = html.slice(html.indexOf('aria-label="Example prompts"'))
    const badges = [...list.slice(0, list.indexOf('</ul>')).matchAll(/<a([^>]*)>([^<]*)<\/a>/g)]
    expect(badges).toHaveLength(3)
    for (const [, attributes = '', shown = ''] of badges) {
      expect(Array.from(shown.replace(/…$/, '')).length).toBeLessThanOrEqual(50)
      const whole = /title="([^"]*)"/.exec(attributes)?.[1] ?? ''
      expect(whole.startsWith(shown.replace(/…$/, ''))).toBe(true)
      const filled = await open(user, /href="([^"]*)"/.exec(attributes)?.[1] ?? '')
      expect(/<textarea id="prompt"[^>]*>([^<]*)</.exec(filled.html)?.[1]?.trim()).toBe(whole)
    }
  })

  test('U-BULK-1: one ratio and one negative prompt for a whole batch', async () => {
    const user = await newUser()
    await send(user, BULK, {
      intent: 'start-batch',
      promptLines: 'a\nb\nc',
      negativePrompt: 'no text',
      aspectRatio: 'landscape',
    })
    const made = (await videosOf(user)).map(({ aspectRatio, negativePrompt }) => ({
      aspectRatio,
      negativePrompt,
    }))
    expect(made).toEqual(
      Array.from({ length: 3 }, () => ({ aspectRatio: 'landscape', negativePrompt: 'no text' })),
    )
  })

  test('U-BULK-2, U-BULK-5: one prompt per line, JSON unchanged, blank lines dropped', async () => {
    const user = await newUser()
    const promptLines = '  a  \r\n\r\n \r\n{"scene":"x"}\r\nb'
    await send(user, BULK, { intent: 'start-batch', promptLines })
    const prompts = (await videosOf(user)).map(({ prompt }) => prompt)
    expect(prompts.sort()).toEqual(['a', 'b', '{"scene":"x"}'])
  })

  test('U-I2V-1: the image tab shows Coming Soon and has no form', async () => {
    const { html, text } = await open(await newUser(), '/app?tab=image')
    expect(text).toContain('Coming Soon')
    const panel = html.slice(html.indexOf('role="tabpanel"'), html.indexOf('Daily Quota'))
    expect(panel).not.toContain('<form')
  })

  test.each([
    [5, '5 of 20 videos used today', '15 videos remaining today', '25'],
    [25, '25 of 20 videos used today', '0 videos remaining today', '100'],
  ])('U-QUOTA-1, U-QUOTA-2, U-QUOTA-3: %i used', async (used, first, second, percent) => {
    const user = await newUser({ video_limit: 30 })
    await user.post('/api/videos/bulk-generate', {
      prompts: Array.from({ length: used }, (_, i) => `p${i}`),
    })
    await product.db.query('update users set video_limit = 20 where id = $1', [user.userId])
    const { html, text } = await open(user, '/app')
    expect(text).toContain(first)
    expect(text).toContain(second)
    expect(html).toMatch(
      new RegExp(`<progress aria-label="Quota used today"[^>]* value="${percent}"`),
    )
  })

  test('U-QUOTA-2: after the plan’s end nothing is offered, whatever is left of the day', async () => {
    const user = await newUser({ expiry_date: new Date(Date.now() - days(3)) })
    const { text } = await open(user, '/app')
    expect(text).toContain('None until you renew your plan')
    expect(text).not.toContain('videos remaining today')
  })
})

describe('following without scripts', () => {
  const refreshOf = async (user: User, path: string) =>
    /<noscript><meta http-equiv="refresh" content="(\d+)"/.exec((await open(user, path)).html)?.[1]

  test('U-STAT-5: the page reloads itself while work is in progress, and only then', async () => {
    const user = await newUser()
    for (const path of ['/app', '/dashboard', BULK]) {
      expect(await refreshOf(user, path)).toBeUndefined()
    }
    const { body } = await user.post<BatchReceipt>('/api/videos/bulk-generate', { prompts: ['a'] })
    for (const path of ['/app', '/dashboard', `${BULK}&batch=${body.batchId}`]) {
      expect(await refreshOf(user, path)).toBe('5')
    }
    await user.post(`/api/batches/${body.batchId}/cancel`)
    expect(await refreshOf(user, '/app')).toBeUndefined()
  })

  test('U-STAT-5: a page with an input or a question does not reload itself', async () => {
    const user = await newUser()
    await user.post('/api/videos/generate', { prompt: 'a' })
    for (const path of [BULK, '/app?tab=text', '/app?prompt=x', '/app?dialog=change-password']) {
      const { html, text } = await open(user, path)
      expect(await refreshOf(user, path)).toBeUndefined()
      expect(html).not.toMatch(/class="[^"]*(while-still|following)/)
      expect(text).toContain('This page does not refresh while you write. Show progress')
    }
    const following = await open(user, '/app')
    expect(following.html).toMatch(/<noscript>.*href="\/following.css".*<\/noscript>/)
    expect(following.html).toMatch(/role="tabpanel"[^>]*while-still/)
    expect(following.html).toMatch(/class="following".*data-box/s)
    // Controls for selected cards are hidden together with the boxes.
    expect(following.html).toMatch(/<div data-box[^>]*><a[^>]*>Select All/)
    expect(following.html).toMatch(/<button[^>]*data-box[^>]*value="delete-selected"/)
    expect(following.text).toContain('Write a prompt Write many prompts')
    const css = await (await product.client().send('GET', '/following.css')).text()
    expect(css).toMatch(/\.while-still,\n\.following \[data-box\] \{\s*display: none;/)
    // A refused form is shown without a refresh, so that it can be corrected.
    const refused = await sendPrompt(user, { prompt: ' ' })
    expect(await refused.text()).not.toContain('http-equiv="refresh"')
  })

  test('My Videos does not reload itself during a search, a selection or a question', async () => {
    const user = await newUser()
    await user.post('/api/videos/generate', { prompt: 'a boat' })
    for (const query of ['paused=yes', 'search=boat', 'select=page', 'dialog=delete-selected']) {
      const { html, text } = await open(user, `/dashboard?${query}`)
      expect(html, query).not.toContain('http-equiv="refresh"')
      expect(html, query).not.toContain('class="following"')
      expect(text, query).toContain(
        'This page does not refresh itself while you search or select. Refresh automatically',
      )
    }
    const following = await open(user, '/dashboard?search=')
    expect(following.html).toContain('http-equiv="refresh"')
    expect(following.html).toMatch(/class="following".*data-box/s)
    // Controls for selected cards are hidden together with the boxes.
    expect(following.html).toMatch(/<div data-box[^>]*><a[^>]*>Select All/)
    expect(following.html).toMatch(/<button[^>]*data-box[^>]*value="delete-selected"/)
    expect(following.html).toMatch(/href="[^"]*paused=yes"/)
    const later = await open(user, '/dashboard?status=pending&page=5')
    expect(later.html).toMatch(/page=5&amp;paused=yes"[^>]*>Stop refreshing/)
    const stopped = await open(user, '/dashboard?status=pending&page=5&paused=yes')
    expect(stopped.html).toMatch(/status=pending&amp;page=5"[^>]*>Refresh automatically/)
  })

  test('/resume, opened by itself, redirects', async () => {
    const locationOf = async (client: { send: User['send'] }, path: string) => {
      const { status, headers } = await client.send('GET', path)
      return [status, headers.get('location')]
    }
    const user = await newUser()
    const elsewhere = '/resume?redirectTo=https://evil.example'
    expect(await locationOf(user, '/resume')).toEqual([303, '/app'])
    expect(await locationOf(user, elsewhere)).toEqual([303, '/app'])
    expect(await locationOf(user, `/resume?redirectTo=${encodeURIComponent(BULK)}`)).toEqual([
      303,
      BULK,
    ])
    expect(await locationOf(product.client(), '/resume')).toEqual([303, '/login'])
  })
})

describe('what delays the work, in plain words', () => {
  test('every response to the polled calls names the current holds, also a 304', async () => {
    const user = await newUser()
    const { body: video } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a' })
    const heldOf = async (path: string, etag = '') => {
      const { status, headers } = await user.get(path, { 'if-none-match': etag })
      const { holds, version } = JSON.parse(headers.get('x-pulse') ?? '{}') as Partial<Pulse>
      return { status, holds, version, etag: headers.get('etag') ?? '' }
    }
    const calls = ['/api/batches', `/api/videos/${video.id}/status`]
    const before = await Promise.all(calls.map((path) => heldOf(path)))
    for (const response of before) expect(response).toMatchObject({ status: 200, holds: [] })
    await product.db.query(
      `update line_entries set state = 'held', hold_reason = 'token', wake_at = now() + interval '1 minute'
       where user_id = $1`,
      [user.userId],
    )
    for (const [index, path] of calls.entries()) {
      expect(await heldOf(path, before[index]?.etag)).toMatchObject({
        status: 304,
        holds: [{ reason: 'token', videos: 1, nextTryAt: expect.any(String) as unknown }],
        version: before[index]?.version,
      })
    }
    // The version shows every change to the gallery, whichever call is polled.
    await user.post('/api/videos/generate', { prompt: 'b' })
    for (const path of calls) {
      expect((await heldOf(path)).version).toBeGreaterThan(before[0]?.version ?? NaN)
    }
  })

  test('U-STAT-1: the progress of a video is in the status and on its card', async () => {
    const user = await newUser()
    const { body: video } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'a' })
    await tellProgress(product, video.id, 45)
    const told = await open(user, '/app')
    expect(told.text.match(/45%/g)).toHaveLength(2)
    expect(told.html.match(/<progress aria-label="This video"[^>]* value="45"/g)).toHaveLength(2)
    await tellProgress(product, video.id, null)
    expect((await open(user, '/app')).text).toMatch(/\d+ s of about \d+ s|longer than usual/)
    await takeBack(product, video.id)
    expect((await open(user, '/app')).text).toContain('Queued. It will start on its own.')
  })

  test('U-T2V-4: ratio and negative prompt are kept for the next video; a new account has portrait', async () => {
    const user = await newUser()
    const chosenIn = ({ html }: { html: string }) =>
      /<input[^>]*name="aspectRatio"[^>]*>/g
        .exec(html.replaceAll(/<input(?![^>]*checked)[^>]*>/g, ''))?.[0]
        .match(/value="(\w+)"/)?.[1]
    expect(chosenIn(await open(user, '/app?tab=text'))).toBe('portrait')
    const sent = await sendPrompt(user, {
      prompt: 'A kite',
      aspectRatio: 'landscape',
      negativePrompt: 'no text',
    })
    expect(sent.status).toBe(303)
    const next = await open(user, '/app?tab=text')
    expect(chosenIn(next)).toBe('landscape')
    expect(next.html).toMatch(/<textarea id="prompt"[^>]*><\/textarea>/)
    expect(next.html).toMatch(/<textarea id="negativePrompt"[^>]*>no text<\/textarea>/)
  })

  test('no free token, and an unavailable provider', async () => {
    const user = await newUser()
    await user.post('/api/videos/generate', { prompt: 'a' })
    await product.db.query(
      `update line_entries set state = 'held', hold_reason = 'token', wake_at = now() + interval '1 minute'
       where user_id = $1`,
      [user.userId],
    )
    const held = await open(user, '/app')
    expect(held.text).toContain('1 video on hold.')
    expect(held.text).toContain('All access to the video service is in use at the moment.')
    await product.db.query(`update line_entries set hold_reason = 'down' where user_id = $1`, [
      user.userId,
    ])
    const down = await open(user, '/app')
    expect(down.text).toContain('The video service cannot be reached at the moment.')
  })

  test('a batch counts videos on hold separately from those in progress', async () => {
    const user = await newUser({ speed_limit: 3, video_limit: 20 })
    const { body: batch } = await user.post<{ batchId: string }>('/api/videos/bulk-generate', {
      prompts: ['a', 'b', 'c', 'd'],
    })
    await product.db.query(
      `insert into line_entries (video_id, batch_id, generation, user_id, lane, turn, state, wake_at, hold_reason)
       select id, batch_id, generation, user_id, 1, row_number() over (),
         (case when row_number() over () > 1 then 'held' else 'gated' end)::line_state,
         now() + interval '1 hour', case when row_number() over () > 1 then 'busy' end
       from videos where batch_id = $1 order by id limit 3`,
      [batch.batchId],
    )
    await product.db.query(
      `update videos set awaits_round = id not in (select video_id from line_entries)
       where batch_id = $1`,
      [batch.batchId],
    )
    const { text } = await open(user, '/app')
    const figures = '0 videos in progress, 1 next in line, 2 on hold, 1 waiting for a round'
    expect(text).toContain(figures)
  })

  test('a used-up day is reported before a user writes', async () => {
    const user = await newUser({ video_limit: 1 })
    expect((await open(user, '/app')).text).not.toContain('videos are used up')
    await user.post('/api/videos/generate', { prompt: 'a' })
    expect((await open(user, '/app?tab=bulk')).text).toContain(
      'Today’s videos are used up. The next ones come at 00:00 (UTC)',
    )
  })

  test('issue 39.1: on a used-up day one prompt can wait for the next one', async () => {
    const user = await newUser({ video_limit: 1 })
    expect((await open(user, '/app')).html).not.toContain('name="nextDay"')
    await product.db.query(
      'insert into quota_days (user_id, day, charged) values ($1, engine_now()::date, 1)',
      [user.userId],
    )
    expect((await open(user, '/app')).html).toContain('name="nextDay"')
    const fields = { prompt: 'A kite', aspectRatio: 'landscape', negativePrompt: 'rain' }
    const sent = await sendForm(user, '/app', { intent: 'generate', nextDay: 'yes', ...fields })
    expect(sent.text).toContain('1 waits for the next days. Nothing is charged before.')
    const { rows } = await product.db.query(
      `select prompt, aspect_ratio, negative_prompt from carried_prompts
       join batches on batches.id = batch_id where user_id = $1`,
      [user.userId],
    )
    expect(rows).toEqual([{ prompt: 'A kite', aspect_ratio: 'landscape', negative_prompt: 'rain' }])
    // No ledger explains it.
    await product.db.query('delete from quota_days where user_id = $1', [user.userId])
  })
})

describe('messages of success', () => {
  /** Returns the heading of the toast on the page to which a response redirects. */
  const toastAfter = async (user: Pick<User, 'send'>, response: Response) => {
    expect(response.status).toBe(303)
    const { html } = await open(user, response.headers.get('location') ?? '')
    return /data-toast[\s\S]*?<p class="text-sm font-semibold">([^<]*)</.exec(html)?.[1]
  }

  test('U-OK-1: each action has its title, in the words of the specification', async () => {
    const user = await newUser({ video_limit: 20 })
    await product.db.query(`insert into prompts (id, text) values (gen_random_uuid(), 'A kite')`)
    const [failed, , done, gone, other] = await makeVideos(product, user.userId, [
      { status: 'error' },
      { status: 'error' },
      {},
      {},
      {},
    ])
    const batchIdOf = async () => (await batchesOf(user))[0]?.id ?? ''
    const daily = (await user.get<{ id: string }>('/api/prompts/daily')).body.id
    const passwords = {
      oldPassword: 'secret-1',
      newPassword: 'secret2',
      confirmPassword: 'secret2',
    }
    const actions: [string, () => Promise<Response>][] = [
      ['Generation started', () => sendPrompt(user, { prompt: 'a' })],
      [
        'Bulk Generation Started! 🚀',
        () => send(user, BULK, { intent: 'start-batch', promptLines: 'a' }),
      ],
      [
        'Batch Cancelled ⛔',
        async () => send(user, BULK, { intent: 'stop-batch', batchId: await batchIdOf() }),
      ],
      ['Retry started', () => send(user, '/app', { intent: 'retry', on: failed?.id ?? '' })],
      [
        'Regenerate started',
        () => send(user, '/app', { intent: 'regenerate', on: done?.id ?? '' }),
      ],
      ['Video deleted', () => send(user, '/app', { intent: 'delete', on: gone?.id ?? '' })],
      [
        'Videos deleted',
        () => send(user, '/app', { intent: 'delete-selected', ids: other?.id ?? '' }),
      ],
      ['Retry All started', () => send(user, '/app', { intent: 'retry-all' })],
      [
        'Prompt skipped',
        () => {
          const skip = { intent: 'skip', promptId: daily }
          return submitForm(user, '/resources/daily-prompt', skip, { shown: '/app' })
        },
      ],
      [
        'Password changed',
        () => send(user, '/account/password', { intent: 'change-password', ...passwords }),
      ],
    ]
    for (const [title, act] of actions) expect(await toastAfter(user, await act())).toBe(title)

    const guest = product.client()
    const account = { username: '03217654321', phone: '03217654321', password: 'secret-1' }
    const registered = await guest.submit('/register', { intent: 'register', ...account })
    expect(await toastAfter(guest, registered)).toBe('Account created!')
    const returned = product.client()
    const signedIn = await returned.submit('/login', { intent: 'sign-in', ...account })
    expect(await toastAfter(returned, signedIn)).toBe('Login successful')
  })
})
