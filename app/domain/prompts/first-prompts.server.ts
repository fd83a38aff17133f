import sql from 'sql-template-tag'
import { newId } from '~/lib/ids'
import type { Deps } from '../context'
import { ensureCurrent, lockCurrent } from './current.server'

/** The library of a new installation. The preview renderer can draw all of them. */
const FIRST_PROMPTS = [
  'A red lighthouse above a stormy sea at dusk, waves breaking on the rocks',
  'Paper lanterns rising over a mountain lake on a clear night',
  'A steam train crossing a snowy valley at dawn, smoke drifting behind it',
  'A hot-air balloon floating over green hills in the morning mist',
  'A fox walking through an autumn forest, leaves falling around it',
  'A neon city in the rain at night, cars passing on wet streets',
  'A sailing boat on a calm sea at sunset, gulls circling above',
  'A castle on a cliff in thick fog, crows circling its towers',
  'An astronaut walking on the moon, the Earth rising behind',
  'A field of sunflowers in the wind under a wide summer sky',
  'A whale swimming under the full moon, seen from above the water',
  'A rocket lifting off from the desert at night, stars above',
] as const

/** Fills an empty library, so that a new installation has a daily prompt at once. */
export async function addFirstPrompts({
  db,
  settings,
}: Pick<Deps, 'db' | 'settings'>): Promise<void> {
  const prompts = FIRST_PROMPTS.map((text) => ({ id: newId(), text }))
  await db.transaction(async (tx) => {
    await lockCurrent(tx)
    await tx.run(sql`
      insert into prompts (id, text, created_at)
      select id, text, engine_now() from jsonb_to_recordset(${JSON.stringify(prompts)}::jsonb)
        as given(id uuid, text text)
      where not exists (select 1 from prompts)`)
    await ensureCurrent(tx, settings.timeZone)
  })
}
