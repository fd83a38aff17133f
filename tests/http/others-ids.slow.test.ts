import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { ACCESS } from '../../app/http/access/access'
import { makeApiKey, programOf } from '../support/api-key'
import type { Client } from '../support/client'
import { addVideos } from '../support/ended-videos'
import { textOf } from '../support/html'
import type { TestUser } from '../support/installation'
import { formTokenIn, openPage, submitForm } from '../support/page'
import { useInstallation } from '../support/shared-installation'

// Issue 49: another account's ids in every form, call and address that a signed-in user may use. What
// belongs to the other account is afterwards as it was, and no answer contains any of it.

const product = useInstallation({ env: { THROTTLE_SCALE: '1000', IMAGE_TO_VIDEO: 'on' } })

const SECRET = 'A secret lighthouse'
/** Whatever of the other account has an id. */
let ids: string[]
let before: string[]

beforeAll(async () => {
  const owner = await product.user({ plan: 'Enterprise', video_limit: 100, speed_limit: 1 })
  const of = { userId: owner.userId, prompt: SECRET, withFiles: true }
  const clips = await addVideos(product, { ...of, status: 'completed', n: 2 })
  const [failed = ''] = await addVideos(product, { ...of, status: 'error' })
  const { body: collection } = await owner.post<{ id: string }>('/api/collections', {
    name: SECRET,
  })
  await owner.post(`/api/collections/${collection.id}/videos`, { videoIds: clips })
  const page = `/videos/${clips[0]}`
  expect(
    (await submitForm(owner, page, { intent: 'share', on: clips[0] ?? '', days: '7' })).status,
  ).toBe(303)
  await makeApiKey(owner)
  const prompts = [1, 2, 3].map((n) => `${SECRET} ${n}`)
  const { body: batch } = await owner.post<{ batchId: string }>('/api/videos/bulk-generate', {
    prompts,
  })
  const own = async (what: string, from: string) =>
    (
      await product.db.query<{ id: string }>(
        `select ${what}::text as id from ${from} where ${from === 'share_links' ? 'video_id' : 'user_id'} = $1`,
        [from === 'share_links' ? clips[0] : owner.userId],
      )
    ).rows.map(({ id }) => id)
  ids = [
    ...[owner.userId, ...clips, failed, collection.id, batch.batchId],
    ...(await own('id', `videos`)).filter((id) => ![...clips, failed].includes(id)).slice(0, 2),
    ...(await own('id', 'api_keys')),
    ...(await own('token', 'share_links')),
  ]
  before = await traces()
}, 120_000)

/** Every row of the database that names one of the ids. */
async function traces(): Promise<string[]> {
  const { rows: tables } = await product.db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await product.db.query<{ row: string }>(
      `select one::text as row from ${name} as one where one::text like any($1) order by 1`,
      [ids.map((id) => `%${id}%`)],
    )
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}

/** Names of fields that name something, in forms and calls. */
const ONE =
  'on id videoId batchId collectionId filmId userId promptId into outOf token key keyId session continues subject more'
const MANY = 'ids videoIds except'
const fieldsWith = (id: string) => ({
  ...Object.fromEntries(ONE.split(' ').map((name) => [name, id])),
  ...Object.fromEntries(MANY.split(' ').map((name) => [name, [id]])),
  choice: 'selected',
  prompt: 'Mine now',
  name: 'Mine now',
  days: '7',
  to: 'first',
})

/** The intents of all forms of users: whatever a file of theirs has as a key. */
const INTENTS = [
  ...new Set(
    ['app/http/actions', 'app/routes/_user+', 'app/routes/resources+'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!test)\.tsx?$/.test(file))
        .flatMap((file) =>
          [
            ...readFileSync(path.join(folder, file), 'utf8').matchAll(
              /^\s+'?([a-z]+(?:-[a-z]+)*)'?: (?:form|change|[a-z]\w*\()/gm,
            ),
          ].map(([, intent = '']) => intent),
        ),
    ),
  ),
]

const ROUTES = Object.entries(ACCESS).flatMap(([route, entry]) =>
  Object.entries(entry)
    .filter(([, who]) => who === 'user' || who === 'program')
    .map(([method]) => ({ route, method })),
)

/** The addresses of a route with an id in its place. */
const addressOf = (route: string, id: string) =>
  route.replace(':file', `${id}.mp4`).replace(':place', '1').replace(/:\w+/g, id)

const wrong: string[] = []
beforeEach(() => {
  wrong.length = 0
})

/** Returns what is answered, without what differs in each answer. */
async function answerTo(send: () => Promise<Response>): Promise<string> {
  const response = await send()
  const text = await response.text()
  if (response.status >= 500) wrong.push(`${response.status} ${response.url}`)
  if (text.includes(SECRET)) wrong.push(`${response.url} tells`)
  return `${response.status} ${textOf(text).replace(/"requestId":"[^"]*"/, '')}`
}

/** Sends requests, eight at a time, and returns their answers. */
async function sendAll(requests: readonly (() => Promise<Response>)[]): Promise<string[]> {
  const answers: string[] = []
  for (let at = 0; at < requests.length; at += 8)
    answers.push(...(await Promise.all(requests.slice(at, at + 8).map(answerTo))))
  return answers
}

test(
  'issue 49: calls and addresses, with a session and with an API key',
  { timeout: 600_000 },
  async () => {
    const user = await product.user({ plan: 'Enterprise' })
    const program = programOf(product.url, await makeApiKey(user))
    const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const requests = [user, program].flatMap((client: Client) =>
      ROUTES.filter(({ route }) => !/logout|password/.test(route)).flatMap(({ route, method }) =>
        ids.map((id) => () => {
          const query = new URLSearchParams({
            ...fieldsWith(id),
            ids: id,
            videoIds: id,
            except: '',
          })
          return method === 'GET'
            ? client.send(method, `${addressOf(route, id)}?${query}`)
            : client.send(method, addressOf(route, id), {
                headers: json,
                body: JSON.stringify(fieldsWith(id)),
              })
        }),
      ),
    )
    expect(requests.length).toBeGreaterThan(1000)
    await sendAll(requests)
    expect(wrong).toEqual([])
    expect(await traces()).toEqual(before)
  },
)

test('issue 49: every form of every page', { timeout: 1_200_000 }, async () => {
  expect(INTENTS.length).toBeGreaterThan(60)
  const known = new Set<string>()
  for (const { route } of ROUTES.filter(
    ({ route, method }) => method === 'POST' && !route.startsWith('/api/'),
  )) {
    const user: TestUser = await product.user({ plan: 'Enterprise' })
    const formToken = formTokenIn((await openPage(user, '/usage')).html)
    const post = (intent: string, id: string) => {
      const body = new URLSearchParams({ formToken, intent })
      for (const [name, value] of Object.entries(fieldsWith(id)))
        for (const one of [value].flat()) body.append(name, one)
      return user.send('POST', addressOf(route, id), {
        headers: { 'sec-fetch-site': 'same-origin' },
        body,
        redirect: 'manual',
      })
    }
    const [first = '', ...others] = ids
    // A page that answers to a form as to one that it does not have reads no id for it: one is enough.
    const [toNone] = await sendAll([first, ...others].map((id) => () => post('no-such-form', id)))
    const answers = await sendAll(INTENTS.map((intent) => () => post(intent, first)))
    const read = INTENTS.filter((_, i) => answers[i] !== toNone)
    for (const intent of read) known.add(intent)
    await sendAll(read.flatMap((intent) => others.map((id) => () => post(intent, id))))
    expect(wrong, route).toEqual([])
    expect(await traces(), route).toEqual(before)
  }
  expect(known.size).toBeGreaterThan(60)
})
