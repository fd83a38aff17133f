import fs from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

const FOLDER = path.join(root, 'prisma/functions')

/**
 * Returns the database functions of `prisma/functions`, each with the comment above it.
 *
 * @returns {Promise<{ name: string, text: string }[]>}
 */
async function databaseFunctions() {
  const files = (await fs.readdir(FOLDER)).sort()
  const texts = await Promise.all(files.map((file) => fs.readFile(path.join(FOLDER, file), 'utf8')))
  return texts.flatMap((text) =>
    // A body contains no empty line.
    text.split(/\n\n+/).flatMap((part) => {
      const [, name] = /^CREATE OR REPLACE FUNCTION (\w+)\(/m.exec(part) ?? []
      return name === undefined ? [] : [{ name, text: `${part.trim()}\n` }]
    }),
  )
}

/**
 * Compares the functions of `prisma/functions` with those that the migrations have created. Returns
 * the functions that differ, for which a migration is missing, and the names of functions in the
 * database that no file contains. Changes nothing.
 *
 * @param {import('pg').Client} client connected to a migrated database
 */
export async function compareFunctions(client) {
  const functions = await databaseFunctions()
  const before = await definitionsIn(client)
  await client.query('begin')
  try {
    for (const { text } of functions) await client.query(text)
    const after = await definitionsIn(client)
    const names = new Set(functions.map(({ name }) => name))
    return {
      changed: functions.filter(({ name }) => after.get(name) !== before.get(name)),
      unlisted: [...before.keys()].filter((name) => !names.has(name)),
    }
  } finally {
    await client.query('rollback')
  }
}

/** @param {import('pg').Client} client */
async function definitionsIn(client) {
  const { rows } = await client.query(`
    select proname as name, string_agg(pg_get_functiondef(oid), '' order by oid) as definition
    from pg_proc
    where pronamespace = 'public'::regnamespace and not exists (
      select 1 from pg_depend
      where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    group by proname`)
  return new Map(rows.map((row) => [String(row.name), String(row.definition)]))
}
