import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_TOKEN, textEnvFor } from '../simulator/settings'
import type { ScenarioInput } from '../simulator/scenario'
import { startSimulator, type Simulator } from '../simulator/simulator'
import { startInstallation, type Installation, type TestUser } from '../support/installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm, submitForm } from '../support/page'
import { drawPicture } from '../support/pictures'
import type { VideoPage } from '../support/videos'

// Issue 53, point 6: a text service translates and improves prompts, as a preview. No worker runs.

const TEXT = '/app?tab=text'
const BULK = '/app?tab=bulk'
const LIST = '/app/list'
const PREVIEW = '/app/rewrite'
const KEY = 'sim-text-key-1234567890'

let simulator: Simulator
let product: Installation
beforeAll(async () => {
  simulator = await startSimulator()
  const env = {
    ...textEnvFor(simulator),
    IMAGE_TO_VIDEO: 'on',
    LOG_LEVEL: 'info',
    THROTTLE_SCALE: '1',
  }
  product = await startInstallation({ env })
})
beforeEach(async () => {
  simulator.play({})
  await product.db.query(`delete from throttles where key like 'rewrite-user%'`)
})
afterEach(async () => expect(await findViolations(product.db)).toEqual({}))
afterAll(async () => {
  await product.remove()
  await simulator.stop()
})

const newUser = () =>
  product.user({ plan: 'Business', video_limit: 200, speed_limit: 3, video_generation_speed: 60 })

/** How often the service was asked, and took money, since `asked()` was called. */
function asked() {
  const before = simulator.accepted().length
  return () => simulator.accepted().length - before
}
const SETTINGS = { negativePrompt: 'blur', aspectRatio: 'landscape' }
const press = (user: TestUser, prompt: string, intent = 'translate') =>
  sendForm(user, TEXT, { intent, prompt, ...SETTINGS })
const pressBulk = (user: TestUser, promptLines: string, intent = 'improve') =>
  sendForm(user, BULK, { intent, promptLines, ...SETTINGS })
const versionOf = async (user: TestUser) =>
  /name="version" value="([^"]+)"/.exec((await openPage(user, PREVIEW)).html)?.[1] ?? ''
const use = async (user: TestUser, taken: string[], version?: string) =>
  sendForm(
    user,
    PREVIEW,
    { intent: 'use-rewrite', version: version ?? (await versionOf(user)), taken },
    // The token is in any page.
    { shown: TEXT },
  )
const drop = (user: TestUser) => sendForm(user, PREVIEW, { intent: 'drop-rewrite' })
const draftOf = async (user: TestUser, kind: 'single' | 'bulk') =>
  (
    await product.db.query<Record<string, string>>(
      `select text, negative_prompt as "negativePrompt", aspect_ratio as "aspectRatio"
       from drafts where user_id = $1 and kind = $2`,
      [user.userId, kind],
    )
  ).rows[0]
const made = async (user: TestUser) =>
  (await user.get<VideoPage>('/api/videos?limit=200')).body.videos
const quotaOf = async (user: TestUser) => {
  const { rows } = await product.db.query('select 1 from quota_charges where user_id = $1', [
    user.userId,
  ])
  return rows.length
}
/** The rows of the preview, and which of them are ticked. */
async function rowsOf(user: TestUser) {
  const { html, text } = await openPage(user, PREVIEW)
  const boxes = html.match(/<input type="checkbox"[^>]*name="taken"[^>]*>/g) ?? []
  return {
    text,
    boxes: boxes.length,
    ticked: boxes.filter((box) => box.includes('checked')).length,
  }
}

describe('U-WORD-1: one prompt', () => {
  test('is shown as it is and as it may be, and is replaced by a press; nothing else is changed', async () => {
    const user = await newUser()
    const count = asked()
    const typed = 'بارش میں کاغذ کی کشتی'
    const pressed = await press(user, typed)
    expect([pressed.status, pressed.location]).toEqual([303, PREVIEW])
    const { text, boxes, ticked } = await rowsOf(user)
    expect(text).toContain(typed)
    expect(text).toContain('In English: ')
    expect(text).toContain('Nothing has changed yet and no video has started.')
    expect([boxes, ticked, count()]).toEqual([1, 1, 1])
    expect(await draftOf(user, 'single')).toEqual({ text: typed, ...SETTINGS })
    const used = await use(user, ['0'])
    expect([used.status, used.location]).toEqual([303, TEXT])
    expect(used.text).toContain('1 prompt replaced')
    const { text: now = '', ...settings } = (await draftOf(user, 'single')) ?? {}
    expect(now).toMatch(/^In English: [0-9a-f]{16}$/)
    expect(used.html).toContain(now)
    expect(settings).toEqual(SETTINGS)
    expect([await made(user), await quotaOf(user)]).toEqual([[], 0])
    // Used once.
    const again = await use(user, ['0'], 'x')
    expect([again.location, again.text]).toEqual([
      '/app',
      expect.stringContaining('The answer of the text service was used or dropped.') as string,
    ])
    expect((await draftOf(user, 'single'))?.text).toBe(now)
  })

  test('stays as it was if the preview is dropped, or nothing is ticked', async () => {
    const user = await newUser()
    await press(user, 'a boat', 'improve')
    const none = await use(user, [])
    expect([none.status, none.text]).toEqual([
      400,
      expect.stringContaining('Tick at least one row.') as string,
    ])
    const dropped = await drop(user)
    expect([dropped.location, (await draftOf(user, 'single'))?.text]).toEqual([TEXT, 'a boat'])
  })

  test('is not sent if it is empty, JSON or too long, which uses up no try', async () => {
    const user = await newUser()
    const count = asked()
    for (const [prompt, why] of [
      ['', 'Please enter a prompt first.'],
      ['{"scene": "a lake"}', 'JSON objects are not rewritten.'],
      ['x'.repeat(10_001), 'It has more than 10,000 characters.'],
    ] as const) {
      const { status, text, html } = await press(user, prompt)
      expect([status, text]).toEqual([400, expect.stringContaining(why) as string])
      expect(html).toContain(prompt.replaceAll('"', '&quot;'))
    }
    expect(count()).toBe(0)
    const { rows } = await product.db.query(
      `select 1 from throttles where key like 'rewrite-user%'`,
    )
    expect(rows).toEqual([])
  })

  test('a browser that appends the pressed button starts no video', async () => {
    const user = await newUser()
    const fields = [
      ['intent', 'generate'],
      ['prompt', 'a boat'],
      ['aspectRatio', 'portrait'],
      ['intent', 'improve'],
    ] as const
    const { location } = await sendForm(user, TEXT, fields)
    expect([location, await made(user)]).toEqual([PREVIEW, []])
  })

  test('the page says before the press what is sent; a picture’s form has no such button', async () => {
    const user = await newUser()
    for (const path of [TEXT, BULK])
      expect((await openPage(user, path)).text).toContain(
        'Sends your prompts to the text service of this site. You see its answer first. Translate to English Improve',
      )
    expect((await openPage(user, '/app?tab=image')).text).not.toContain('Translate')
  })
})

describe('issue 53.6: what the service may answer', () => {
  const FAULTS: [ScenarioInput['rules'], string][] = [
    [[{ do: { status: 401 } }], 'does not accept this site’s key'],
    [[{ do: { status: 402 } }], 'has no credit left'],
    [[{ do: { status: 429 } }], 'gets too many requests now'],
    [[{ do: { status: 429, code: 'insufficient_quota' } }], 'has no credit left'],
    [[{ do: { status: 500, message: 'about my prompt' } }], 'answered with an error'],
    [[{ do: { status: 302 } }], 'answered with an error'],
    [[{ do: { status: 502, html: true } }], 'answered with an error'],
    [[{ do: { fault: 'reset' } }], 'cannot be reached now'],
    [[{ do: { fault: 'half-json' } }], 'was cut off'],
    [[{ do: { fault: 'html' } }], 'cannot be read'],
    [[{ do: { fault: 'empty' } }], 'cannot be read'],
    [[{ do: { fault: 'big-json' } }], 'cannot be read'],
    [[{ do: { message: '{"prompts":[{"id":1,"te', reason: 'length' } }], 'was cut off'],
    [[{ do: { message: '', reason: 'content_filter' } }], 'refuses to work on this text'],
    [[{ do: { message: 'Sure! Here is it.' } }], 'cannot be read'],
    [[{ do: { message: '{"prompts":[]}' } }], 'The answer leaves this one out.'],
  ]
  test('each trouble has its words, and keeps what was typed and what was looked at', async () => {
    const user = await newUser()
    await press(user, 'an older prompt', 'improve')
    for (const [rules, words] of FAULTS) {
      simulator.play({ rules })
      const { status, text, html } = await press(user, 'my prompt stays', 'improve')
      expect([words, status, text]).toEqual([words, 409, expect.stringContaining(words) as string])
      expect(html).toMatch(/<textarea[^>]*name="prompt"[^>]*>my prompt stays</)
      expect((await draftOf(user, 'single'))?.text).toBe('my prompt stays')
    }
    expect((await rowsOf(user)).text).toContain('an older prompt')
    await simulator.down()
    expect((await press(user, 'my prompt stays')).text).toContain('cannot be reached now')
    await simulator.up()
    // The operator's log says what was wrong, and has neither the key nor a prompt.
    const log = product.web.output()
    expect(log).toContain('"evidence":"429 insufficient_quota"')
    for (const secret of [KEY, 'my prompt']) expect(log).not.toContain(secret)
  })

  test('a server without JSON mode is asked again without it', async () => {
    const user = await newUser()
    simulator.play({ rules: [{ times: 1, do: { status: 400 } }] })
    expect((await press(user, 'a boat', 'improve')).location).toBe(PREVIEW)
  })

  test('dirty answers are mended, and said', async () => {
    const user = await newUser()
    const message = '```json\n{"prompts":[{"id":"1","text":"\\"A <i>boat</i>\\nin rain\\""}]}\n```'
    simulator.play({ rules: [{ do: { message } }] })
    await press(user, 'ein Boot')
    expect((await rowsOf(user)).text).toContain(
      'A boat in rain Markup removed. Line breaks removed. Numbers, bullets or quotation marks around it removed.',
    )
    await use(user, ['0'])
    expect((await draftOf(user, 'single'))?.text).toBe('A boat in rain')
  })
})

describe('U-WORD-1: the bulk box', () => {
  test('the ticked lines are replaced, and the others stay, with blank lines and JSON', async () => {
    const user = await newUser()
    const count = asked()
    const box = 'one\n\n{"scene": "a lake"}\ntwo\none\nthree'
    await pressBulk(user, box)
    const { text, boxes } = await rowsOf(user)
    expect(boxes).toBe(3)
    expect(text).toContain('Stays as it is: JSON objects are not rewritten.')
    expect([count(), (await draftOf(user, 'bulk'))?.text]).toEqual([1, box])
    // Rows: one, JSON, two, three.
    expect((await use(user, ['0', '3'])).location).toBe(BULK)
    expect(await draftOf(user, 'bulk')).toEqual({
      text: 'one, one\n\n{"scene": "a lake"}\ntwo\none, one\nthree, three',
      ...SETTINGS,
    })
  })

  test('what another tab has changed since is not brought back, and is said', async () => {
    const user = await newUser()
    await pressBulk(user, 'one\ntwo')
    await sendForm(user, BULK, { intent: 'add-example-0', promptLines: 'two\nother' })
    expect((await use(user, ['0', '1'])).text).toContain('1 prompt was not there any more.')
    expect((await draftOf(user, 'bulk'))?.text).toMatch(/^two, two\nother\n/)
    await pressBulk(user, 'one')
    await sendForm(user, BULK, { intent: 'add-example-0', promptLines: 'other' })
    const gone = await use(user, ['0'])
    expect([gone.status, gone.text]).toEqual([
      409,
      expect.stringContaining('These prompts are not there any more.') as string,
    ])
  })

  test('a table is opened as a list, whose rows are rewritten; more than a hundred wait', async () => {
    const user = await newUser()
    await pressBulk(user, 'Prompt\tNegative prompt\na boat\tfog\na kite\train')
    expect((await rowsOf(user)).boxes).toBe(2)
    expect((await use(user, ['0', '1'])).location).toBe(LIST)
    const count = asked()
    const lines = Array.from({ length: 130 }, (_, i) => `prompt ${i}`).join('\n')
    await pressBulk(user, lines)
    const { boxes, text } = await rowsOf(user)
    expect([boxes, count()]).toEqual([100, 4])
    expect(text).toContain('30 prompts more did not fit into one press.')
  })
})

const png = (name: string) =>
  new File([new Uint8Array(drawPicture(120, 90))], name, { type: 'image/png' })

describe('U-WORD-1: a list', () => {
  const csv = [
    'Prompt,Negative prompt,Aspect ratio,Name,Picture,End picture',
    ...Array.from(
      { length: 100 },
      (_, i) =>
        `prompt ${i},${i % 2 ? 'fog' : 'rain'},${i % 3 ? '9:16' : '16:9'},name ${i},a.png,b.png`,
    ),
  ].join('\n')
  const upload = async (user: TestUser) => {
    for (const name of ['a.png', 'b.png'])
      await submitForm(user, BULK, { intent: 'add-pictures', promptLines: '', pictures: png(name) })
    await submitForm(user, BULK, {
      intent: 'add-file',
      promptLines: '',
      file: new File([csv], 'my.csv'),
    })
  }

  test('of a hundred rows takes four requests; wrong answers leave their rows, columns and pictures stay', async () => {
    const user = await newUser()
    await upload(user)
    const count = asked()
    const good = Array.from({ length: 20 }, (_, i) => ({ id: i + 1, text: `good ${i}` }))
    const wrong = [
      { id: 21, text: 'twice' },
      { id: 21, text: 'again' },
      { id: 22, text: 7 },
      { id: 24, text: '' },
      { id: 25, text: 'I’m sorry, I cannot do that.' },
      { id: 99, text: 'whose?' },
      null,
    ]
    const message = JSON.stringify({ prompts: [...good, ...wrong] })
    simulator.play({
      rules: [
        { when: { promptIncludes: 'prompt 0\\"' }, do: { message } },
        { when: { promptIncludes: 'prompt 25\\"' }, do: { status: 500 } },
      ],
    })
    expect((await sendForm(user, LIST, { intent: 'improve' })).location).toBe(PREVIEW)
    const { text, boxes } = await rowsOf(user)
    expect([boxes, count()]).toEqual([70, 3])
    for (const words of [
      'leaves this one out',
      'is empty',
      'refuses to work',
      'answered with an error',
    ])
      expect(text).toContain(words)
    await use(user, ['0', '1', '20', '24', '60', '99'])
    const page = await openPage(user, LIST)
    expect(page.text).toContain('4 rows with new words.')
    expect(page.text).toContain(
      'name 0 good 0 Landscape 16:9 Without: rain Begins with a.png, ends with b.png',
    )
    expect(page.text).toContain('name 1 good 1 Portrait 9:16 Without: fog Begins with a.png')
    expect(page.text).toContain('name 20 prompt 20 ')
    const field = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(page.html)?.[1] ?? ''
    const names = ['formKey', 'first', 'version', 'shownPictures']
    const hidden = Object.fromEntries(names.map((name) => [name, field(name)]))
    await submitForm(user, LIST, { intent: 'start-list', aspectRatio: 'portrait', ...hidden })
    const videos = await made(user)
    expect(videos).toHaveLength(100)
    expect(videos.find(({ name }) => name === 'name 60')).toMatchObject({
      prompt: 'prompt 60, prompt 60',
      negativePrompt: 'rain',
      aspectRatio: 'landscape',
    })
    const { rows } = await product.db.query(
      `select count(*)::int as n from video_pictures join videos on id = video_id
       where user_id = $1 and end_picture_id is not null`,
      [user.userId],
    )
    expect(rows).toEqual([{ n: 100 }])
  })

  test('is rewritten twice, goes back to its own words, and keeps rows that were left out', async () => {
    const user = await newUser()
    await pressBulk(
      user,
      'Prompt\tNegative prompt\neins é\tfog\nzwei\train\ndrei\tfog',
      'translate',
    )
    const first = await rowsOf(user)
    expect(first.boxes).toBe(1)
    await use(user, ['0'])
    await sendForm(user, LIST, { intent: 'leave-row', row: '1' })
    await sendForm(user, LIST, { intent: 'improve' })
    await use(user, ['0', '1'])
    const twice = (await openPage(user, LIST)).text
    expect(twice).toMatch(/In English: (\w+), In English: \1/)
    expect(twice).toContain('drei, drei')
    expect(twice).toContain('2 prompts ; 1 row left out')
    const back = await sendForm(user, LIST, { intent: 'as-before' })
    expect(back.text).toContain('eins é')
    expect(back.text).not.toContain('new words')
    expect(back.text).toContain('1 row left out')
  })

  test('that is gone, or has changed, is not written over', async () => {
    const user = await newUser()
    await pressBulk(user, 'Prompt\tNegative prompt\na boat\tfog')
    await sendForm(user, LIST, { intent: 'discard-list' })
    const gone = await use(user, ['0'])
    expect([gone.status, gone.text]).toEqual([
      404,
      expect.stringContaining('It was started, moved to the box or removed.') as string,
    ])
    expect((await openPage(user, PREVIEW)).text).toContain('a boat')
    const count = asked()
    const none = await sendForm(user, LIST, { intent: 'improve' }, { shown: TEXT })
    expect([none.location, count()]).toEqual([BULK, 0])
  })
})

describe('U-WORD-3: who may ask, and how often', () => {
  test('of thirty presses at once twenty are carried out; others are not harmed', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const count = asked()
    const all = await Promise.all(
      Array.from({ length: 30 }, () => press(user, 'a boat', 'improve')),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 20 }, () => 303),
      ...Array.from({ length: 10 }, () => 429),
    ])
    expect(count()).toBe(20)
    const refused = await press(user, 'what I typed', 'improve')
    expect(refused.text).toMatch(
      /asked the text service often in this hour. Nothing was sent. Try again in \d+ minutes/,
    )
    expect(refused.html).toContain('what I typed')
    expect((await press(other, 'a boat', 'improve')).location).toBe(PREVIEW)
    expect((await openPage(other, PREVIEW)).text).not.toContain('what I typed')
  })

  test('two tabs: the older preview is refused, and one of two presses at once counts', async () => {
    const user = await newUser()
    await press(user, 'first', 'improve')
    const old = await versionOf(user)
    await press(user, 'second', 'improve')
    const refused = await use(user, ['0'], old)
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining('There is a newer preview') as string,
    ])
    expect((await draftOf(user, 'single'))?.text).toBe('second')
    const version = await versionOf(user)
    const both = await Promise.all([use(user, ['0'], version), use(user, ['0'], version)])
    expect(both.map(({ location }) => location).sort()).toEqual(['/app', TEXT])
    expect((await draftOf(user, 'single'))?.text).toBe('second, second')
  })

  test('an expired plan asks for nothing; a used-up quota does not matter; a disabled account is out', async () => {
    const user = await newUser()
    const count = asked()
    await product.db.query(
      `update users set expiry_date = engine_now() - interval '1 day' where id = $1`,
      [user.userId],
    )
    const expired = await press(user, 'a boat', 'improve')
    expect([expired.status, expired.text, count()]).toEqual([
      403,
      expect.stringContaining('Your plan has expired.') as string,
      0,
    ])
    await product.db.query(
      `update users set expiry_date = engine_now() + interval '1 day', video_limit = 0 where id = $1`,
      [user.userId],
    )
    expect((await press(user, 'a boat', 'improve')).location).toBe(PREVIEW)
    await product.db.query(`update users set is_active = false where id = $1`, [user.userId])
    const after = await submitForm(user, TEXT, { intent: 'improve', prompt: 'a boat' })
    expect([after.status < 400, count()]).toEqual([true, 1])
    expect(after.headers.get('location')).toMatch(/login|resume/)
  })

  test('after the end of a session the prompt comes back with the sign-in, and nothing was sent', async () => {
    const user = await newUser()
    const count = asked()
    await product.db.query('delete from sessions where user_id = $1', [user.userId])
    const fields = { intent: 'improve', prompt: 'what I typed', negativePrompt: 'fog' }
    const turned = await submitForm(user, TEXT, fields)
    expect([turned.status, turned.headers.get('location')]).toEqual([
      307,
      '/resume?redirectTo=%2Fapp%3Ftab%3Dtext',
    ])
    const resumed = await user.submit('/resume?redirectTo=%2Fapp%3Ftab%3Dtext', {
      ...fields,
      intent: 'resume',
      username: user.username,
      password: 'secret-1',
    })
    expect(resumed.headers.get('location')).toBe(TEXT)
    expect([(await draftOf(user, 'single'))?.text, count()]).toEqual(['what I typed', 0])
  })
})

describe('issue 53.6: set-up', () => {
  test('says whether the service answers, without its key', async () => {
    const admin = await product.user({ role: 'admin' })
    const open = () => openPage(admin, '/admin/setup')
    expect((await open()).text).toContain('Text service Done It answers.')
    simulator.token(KEY, { dead: true })
    const refused = await open()
    expect(refused.text).toMatch(/Text service To do It answers 401: .*Incorrect API key/)
    expect(refused.html).not.toContain(KEY)
    await simulator.down()
    expect((await open()).text).toContain('Text service To do It does not answer')
    await simulator.up()
    expect(DEFAULT_TOKEN).not.toBe(KEY)
  })

  test('U-WORD-2: without a key there is no trace of it', async () => {
    const plain = await startInstallation()
    try {
      const user = await plain.user({ plan: 'Business', video_limit: 20 })
      const table = { promptLines: 'Prompt\tNegative prompt\na boat\tfog', aspectRatio: 'portrait' }
      await submitForm(user, BULK, { intent: 'open-list', ...table })
      for (const path of [TEXT, BULK, LIST]) {
        const { status, html } = await openPage(user, path)
        expect([path, status]).toEqual([path, 200])
        expect(html).not.toMatch(/Translate to|Improve|text service|hasTexts|app\/rewrite/)
      }
      expect((await openPage(user, PREVIEW)).status).toBe(404)
      for (const intent of ['use-rewrite', 'drop-rewrite'])
        expect(
          (await submitForm(user, PREVIEW, { intent, version: 'x' }, { shown: TEXT })).status,
        ).toBe(404)
      for (const path of [TEXT, LIST])
        expect((await submitForm(user, path, { intent: 'translate', prompt: 'a' })).status).toBe(
          400,
        )
      const admin = await plain.user({ role: 'admin' })
      expect((await openPage(admin, '/admin/setup')).text).toContain(
        'Text service Done None is set',
      )
    } finally {
      await plain.remove()
    }
  })
})
