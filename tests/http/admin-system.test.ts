import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { backupName, noteCopy, noteProblem } from '../../scripts/lib/nightly-backup.mjs'
import { addVideos } from '../support/ended-videos'
import type { TestUser } from '../support/installation'
import { useInstallation } from '../support/shared-installation'
import { findViolations } from '../support/invariants'
import { openPage, sendForm } from '../support/page'
import { until } from '../support/wait'

// /admin/system shows the state and what to do. Background actions can be watched, stopped and
// undone.

const backups = await fs.mkdtemp(path.join(os.tmpdir(), 'reelmill-backups-'))
afterAll(() => fs.rm(backups, { recursive: true }))
const product = useInstallation({
  env: {
    BACKUP_DIR: backups,
    BACKUP_S3_BUCKET: 'copies',
    BACKUP_S3_ACCESS_KEY_ID: 'id',
    BACKUP_S3_SECRET_ACCESS_KEY: 'key',
    BACKUP_AGE_RECIPIENT: await identityToRecipient(await generateIdentity()),
  },
})
let admin: TestUser
beforeAll(async () => {
  admin = await product.user({ role: 'admin' })
})

/** Returns the text of a card, from its heading to the next. */
async function card(area: string): Promise<string> {
  const { html } = await openPage(admin, '/admin/system')
  const part = html.split(/<li[ >]/).find((item) => item.includes(`>${area}</h2>`)) ?? ''
  return (part.split('</li>')[0] ?? '')
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, ' ')
}

const heartbeat = (secondsAgo: number) =>
  product.db.query(
    `insert into worker_processes (id, boot_id, pid_namespace, pools, pid, host, beat_at) values ('00000000-0000-4000-8000-000000000007', 'boot', 'ns', '{}', 7, 'render-1', now() - make_interval(secs => $1))
     on conflict (id) do update set beat_at = excluded.beat_at`,
    [secondsAgo],
  )

describe('the system page', () => {
  test('workers: none, one with heartbeats, one that is silent', async () => {
    expect(await card('Workers')).toContain('No worker is running')
    await heartbeat(2)
    expect(await card('Workers')).toMatch(/OK 1 worker running, last heartbeat \d s ago\./)
    const { text } = await openPage(admin, '/admin/system')
    expect(text).toContain('render-1')
    await heartbeat(300)
    expect(await card('Workers')).toContain('Action needed No worker is running')
    await product.db.query('delete from worker_processes')
  })

  test('backups: none, a new one, one with a problem, an old one, no folder', async () => {
    expect(await card('Backup')).toContain('Check this There is none in BACKUP_DIR.')
    const file = path.join(backups, backupName(new Date()))
    const hoursAgo = (hours: number) => {
      const at = new Date(Date.now() - hours * 3_600_000)
      return fs.utimes(file, at, at)
    }
    await fs.writeFile(file, Buffer.alloc(50 * 1024))
    expect(await card('Backup')).toMatch(/OK The newest was finished \d+ s ago, 50 KB\./)
    await fs.writeFile(file, Buffer.alloc(3 * 1024 ** 2))
    await fs.writeFile(`${file}.part`, 'of another run')
    await hoursAgo(5)
    expect(await card('Backup')).toMatch(/OK The newest was finished 5 h ago, 3\.0 MB\. *$/)

    await noteProblem(backups, 'ENOSPC: no space left on device')
    const failed = await card('Backup')
    expect(failed).toContain('Check this The newest was finished 5 h ago, 3.0 MB.')
    expect(failed).toContain('The last run had a problem: ENOSPC: no space left on device')
    expect(failed).toContain('What to do: Check that the disk of BACKUP_DIR is mounted')
    await noteProblem(backups, undefined)
    expect(await card('Backup')).toContain('OK The newest')

    await hoursAgo(27)
    expect(await card('Backup')).toContain('Check this The newest was finished 27 h ago')
    await fs.rename(backups, `${backups}-away`)
    expect(await card('Backup')).toContain('Check this There is none in BACKUP_DIR.')
    await fs.rename(`${backups}-away`, backups)
    await hoursAgo(0)
  })

  test('O14, O20: the copy in the bucket is shown, and its failure is not one of the backup', async () => {
    const setup = async () => (await openPage(admin, '/admin/setup')).text
    expect(await card('Copy of the backup')).toContain('Check this None has been sent')
    expect(await setup()).toContain('Copies of the backups To do None has been sent to the bucket')
    await noteCopy(backups, undefined)
    expect(await card('Copy of the backup')).toMatch(/OK The last one was sent .* \d+ s ago\./)
    expect(await setup()).toContain('Copies of the backups Done The last one was sent')
    await noteCopy(backups, 'The copy was not sent: ECONNREFUSED')
    const failed = await card('Copy of the backup')
    expect(failed).toMatch(/Check this The last one was sent to the bucket \d+ s ago\./)
    expect(failed).toContain('The last try failed: The copy was not sent: ECONNREFUSED')
    expect(failed).toContain('BACKUP_S3_')
    expect(failed).not.toContain('mounted')
    expect(await card('Backup')).toContain('OK The newest')
    expect(await setup()).toContain('Copies of the backups To do')
    const { html } = await openPage(admin, '/admin/system/runbook')
    expect(html).toContain('id="copy-of-the-backup"')
  })

  test('removed data: how long it is kept, and how much has been removed', async () => {
    const { text } = await openPage(admin, '/admin/system')
    expect(text).toMatch(/Videos Kept For ever Removed so far 0 Last removal None yet/)
    expect(text).toMatch(/signing in Kept 180 days/)
    await product.db.query(
      `insert into retention (name, days, since, removed, removed_at)
       values ('videos', 90, now(), 12345, '2026-02-03 04:05Z')`,
    )
    const after = await openPage(admin, '/admin/system')
    expect(after.text).toMatch(/Removed so far 12,345 Last removal 3 Feb 2026, 04:05/)
    await product.db.query('delete from retention')
  })

  test('the job queue: empty, due, late', async () => {
    await product.db.query('delete from graphile_worker._private_jobs')
    expect(await card('Job queue')).toContain('Empty: no job is due.')
    const add = (age: string) =>
      product.db.query(
        `select graphile_worker.add_job('system.check', '{}', run_at := now() - $1::interval)`,
        [age],
      )
    await add('20 seconds')
    expect(await card('Job queue')).toMatch(/OK 1 job due, the oldest for 2\d s\./)
    await add('2 minutes')
    expect(await card('Job queue')).toMatch(/Check this 2 jobs due, the oldest for 2 min\./)
    await add('1 hour')
    expect(await card('Job queue')).toMatch(/Action needed 3 jobs due, the oldest for 60 min\./)
    expect(await card('Job queue')).toContain('What to do: If this grows, start another worker')
    await product.db.query('delete from graphile_worker._private_jobs')
  })

  test('waiting videos: none, some, and a link to one that has waited too long', async () => {
    expect(await card('Waiting videos')).toContain('OK None.')
    const user = await product.user()
    const { body } = await user.post<{ id: string }>('/api/videos/generate', { prompt: 'slow' })
    expect(await card('Waiting videos')).toContain('OK 1 video in the line')
    await product.db.query(`update line_entries set entered_at = now() - interval '20 minutes'`)
    expect(await card('Waiting videos')).toMatch(
      /Check this 1 video in the line, the oldest for 20 min/,
    )
    const { html } = await openPage(admin, '/admin/system')
    expect(html).toContain(`href="/videos/${body.id}"`)
    await user.call('DELETE', `/api/videos/${body.id}`)
    expect(await findViolations(product.db)).toEqual({})
  })

  test('the provider: accepts orders, is closed for all with the reason, one account is paused', async () => {
    expect(await card('Provider')).toMatch(/OK local \(.+\) takes orders\./)
    const close = (scope: string, reason: string) =>
      product.db.query(
        `insert into provider_gates (scope, reason, closed_until, probe_ms) values ($1, $2, now() + interval '5 minutes', 1000)`,
        [scope, reason],
      )
    await close('account-1', 'quota')
    expect(await card('Provider')).toContain('works; 1 account of it paused.')
    await close('clips local', 'clips')
    expect(await card('Provider')).toContain('cannot be downloaded, so nothing new is ordered')
    const { text } = await openPage(admin, '/admin/system')
    expect(text).toContain('Downloads of clips')
    expect(text).not.toContain('Account clips')
    await close('service local', 'down')
    expect(await card('Provider')).toContain(
      'is closed for all because the provider does not respond.',
    )
    await product.db.query('delete from provider_gates')
  })

  test('our own storage: unavailable, full, open again', async () => {
    const close = (reason: string) =>
      product.db.query(
        `insert into provider_gates (scope, reason, closed_until, probe_ms)
         values ('our storage', $1, now() + interval '1 minute', 1000)
         on conflict (scope) do update set reason = excluded.reason`,
        [reason],
      )
    await close('storage')
    expect(await card('Storage')).toContain('Action needed Clips cannot be stored or shown')
    await close('space')
    expect(await card('Storage')).toContain('no new video is ordered and finished clips wait')
    expect(await card('Provider')).toContain('takes orders')
    await product.db.query('delete from provider_gates')
    expect(await card('Storage')).toContain('OK')
  })

  test('orders and failures: orders under way, delays and failures are reported, and the page never claims that everything works', async () => {
    expect(await card('Orders under way')).toContain('OK None.')
    expect(await card('Failures')).toContain('OK None in the last hour; 0 delivered.')
    const user = await product.user()
    const failed = await addVideos(product, { userId: user.userId, status: 'error', n: 2 })
    const done = await addVideos(product, { userId: user.userId, status: 'completed' })
    const add = (ids: string[], state: string, sentAgo: string) =>
      product.db.query(
        `insert into attempts (id, video_id, generation, n, user_id, lane, state, provider, model,
           account_scope, sent_at, deadline_at, settled_at, due_at)
         select gen_random_uuid(), id, 1, 1, $2, 0, $3::attempt_state, 'local', 'm', 'local',
           now() - $4::interval, now() + interval '1 hour',
           case when $3 in ('failed', 'done') then now() end, now()
         from unnest($1::uuid[]) as given(id)`,
        [ids, user.userId, state, sentAgo],
      )
    await add(failed, 'failed', '1 minute')
    await add(done, 'done', '1 minute')
    expect(await card('Failures')).toContain(
      'Action needed 2 of 3 videos of the last hour failed; most often: the video service was too busy.',
    )
    const under = await addVideos(product, { userId: user.userId, status: 'completed', n: 2 })
    await add(under, 'fetching', '2 seconds')
    expect(await card('Orders under way')).toMatch(
      /OK 2 orders, the oldest for \d s\. 2 finished clips to be stored\./,
    )
    await product.db.query(
      `update attempts set sent_at = now() - interval '2 hours' where state = 'fetching'`,
    )
    expect(await card('Orders under way')).toContain('Check this 2 orders, the oldest for 2 h.')
    expect((await openPage(admin, '/admin/system')).text).not.toContain('Everything works')
    await product.db.query(
      `update attempts set due_at = now() - interval '5 minutes' where state = 'fetching'`,
    )
    expect(await card('Orders under way')).toContain(
      'Action needed 2 orders overdue; the oldest has been due for 5 min.',
    )
    await product.db.query('delete from videos')
  })

  test('tokens, storage and the self-check; a violated invariant is named', async () => {
    expect(await card('Token pool')).toContain('The provider in use needs none.')
    expect(await card('Storage')).toMatch(/\d+\.\d GB free for videos\./)
    expect(await card('Self-check')).toContain('Not run yet')
    await product.db.query(
      `insert into invariant_checks (name, violations, checked_at) values ('I2: none lost', 0, now()), ('I4: counted once', 0, now())`,
    )
    expect(await card('Self-check')).toMatch(/OK All 2 consistency checks pass/)
    await product.db.query(`update invariant_checks set checked_at = now() - interval '10 minutes'`)
    expect(await card('Self-check')).toContain('Check this')
    await product.db.query(
      `update invariant_checks set violations = 3, checked_at = now() where name like 'I4%'`,
    )
    expect(await card('Self-check')).toContain(
      'Action needed 1 consistency check failed: I4: counted once.',
    )
    expect((await openPage(admin, '/admin/system')).text).toContain(
      'Something needs your attention.',
    )
    await product.db.query('delete from invariant_checks')
  })
})

describe('many videos at once', () => {
  beforeEach(async () => {
    await product.db.query('delete from mass_changes')
    await product.db.query('delete from videos')
  })
  const counts = async () => {
    const { rows } = await product.db.query<{ live: number; gone: number }>(
      `select count(*) filter (where deleted_at is null)::int as live,
         count(*) filter (where deleted_at is not null)::int as gone from videos`,
    )
    return rows[0]
  }

  const deleteAll = (status: 'error' | 'all', count: string) =>
    sendForm(admin, '/admin/videos', {
      intent: 'delete-all',
      status,
      expected: count,
      typed: count,
    })

  test('Stop keeps what was deleted and leaves the rest alone; Restore All then restores all videos', async () => {
    const user = await product.user()
    await addVideos(product, { userId: user.userId, status: 'error', n: 450 })
    const ordered = await deleteAll('error', '450')
    expect(ordered.text).toContain('450 videos are being deleted.')
    expect(ordered.text).toContain('Deleting 0 of 450 videos')
    const second = await deleteAll('all', '1')
    expect(second.text).toContain(
      'Videos are already being deleted or restored. Wait until that has ended, or stop it.',
    )
    const on = /name="on" value="([^"]+)"/.exec(ordered.html)?.[1] ?? ''
    const stopped = await sendForm(admin, '/admin/videos', { intent: 'stop-change', on })
    expect(stopped.text).toContain('Stopped')
    expect(stopped.text).toMatch(/0 of 450 videos deleted; stopped/)
    const again = await sendForm(admin, '/admin/videos', { intent: 'stop-change', on })
    expect(again.text).toContain('Failed to stop')

    // A worker that starts later ignores the stopped action and runs the next ones.
    await product.startWorker()
    await deleteAll('error', '1')
    await until('all videos to be deleted', async () => (await counts())?.gone === 450)
    const ask = await openPage(admin, `/admin/videos/trash?dialog=restore-all`)
    expect(ask.text).toContain('Restore all deleted videos?')
    const restored = await sendForm(admin, '/admin/videos/trash', {
      intent: 'restore-all',
      search: user.username,
    })
    expect(restored.text).toContain('450 videos are being restored.')
    await until('all videos to be restored', async () => (await counts())?.live === 450)
    await until('the page to report it', async () =>
      (await openPage(admin, '/admin/videos/trash')).text.includes('450 of 450 videos restored'),
    )
    expect(await findViolations(product.db)).toEqual({})
  })

  test('stopping a regeneration of all restores the state of the videos that were not sent', async () => {
    const user = await product.user()
    await addVideos(product, { userId: user.userId, status: 'error', n: 30 })
    // No order is sent while the provider is closed.
    await product.db.query(
      `insert into provider_gates (scope, reason, closed_until, probe_ms) values ('service local', 'down', now() + interval '1 hour', 3600000)`,
    )
    const started = await sendForm(admin, '/admin/videos', {
      intent: 'regenerate-all',
      expected: '30',
      typed: '30',
    })
    expect(started.text).toContain('Regeneration started')
    const on = /name="on" value="([^"]+)"/.exec(started.html)?.[1] ?? ''
    const stopped = await sendForm(admin, '/admin/videos', { intent: 'cancel-regeneration', on })
    expect(stopped.text).toContain('Regeneration stopped')
    await until('all videos to be as before', async () => {
      const { rows } = await product.db.query<{ n: number }>(
        `select count(*)::int as n from videos where status = 'error'`,
      )
      return rows[0]?.n === 30
    })
    await product.db.query('delete from provider_gates')
    expect(await findViolations(product.db)).toEqual({})
  })
})
