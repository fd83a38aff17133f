import { createHmac } from 'node:crypto'
import pg from 'pg'
import { grantRights } from './grants.mjs'

/** The user as which web and worker connect to the embedded database. */
const PLAIN_USER = 'reelmill_app'

/**
 * Returns the address with which web and worker connect to the embedded database. The password is
 * derived one-way from the owner's, so nothing more has to be stored and older installations need no
 * change.
 *
 * @param {string} ownerUrl
 */
export function plainUserUrl(ownerUrl) {
  const url = new URL(ownerUrl)
  const password = createHmac('sha256', decodeURIComponent(url.password))
    .update(PLAIN_USER)
    .digest('base64url')
  return Object.assign(url, { username: PLAIN_USER, password }).href
}

/**
 * Creates the plain user if it is missing, grants its privileges, and closes the cluster's databases to
 * all other users. Must run after each migration.
 *
 * @param {string} ownerUrl the migrated database, as its owner
 * @returns {Promise<string>} the address as the plain user
 */
export async function makePlainUser(ownerUrl) {
  const address = plainUserUrl(ownerUrl)
  const { pathname, password } = new URL(address)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const database = client.escapeIdentifier(decodeURIComponent(pathname.slice(1)))
    const found = await client.query('select 1 from pg_roles where rolname = $1', [PLAIN_USER])
    await client.query(
      `${found.rowCount ? 'alter' : 'create'} role ${PLAIN_USER}
         login nosuperuser nocreatedb nocreaterole password ${client.escapeLiteral(password)};
       revoke all on database ${database}, postgres, template1 from public;
       grant connect on database ${database} to ${PLAIN_USER}`,
    )
    await grantRights(client, PLAIN_USER)
  } finally {
    await client.end()
  }
  return address
}
