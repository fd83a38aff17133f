import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { useEngine } from '../../support/engine/shared-engine'

const engine = useEngine()

test('a statement whose result type a migration has changed is retried, alone and in a transaction', async () => {
  const { db } = engine.deps
  await db.run(sql`create table changing (id int)`)
  await db.run(sql`insert into changing values (1)`)
  const all = sql`select * from changing`
  const inTransaction = () => db.transaction((tx) => tx.row(all))
  for (const ask of [() => inTransaction(), () => db.row(all).catch(() => db.row(all))]) {
    expect(await ask()).toMatchObject({ id: 1 })
    await db.run(sql`alter table changing add column extra int default 7`)
    expect(await ask()).toMatchObject({ id: 1, extra: 7 })
    await db.run(sql`alter table changing drop column extra`)
  }
})
