import { createHmac } from 'node:crypto'
import pg from 'pg'
import { grantRights } from './grants.mjs'

/** The user of the embedded database as which web and worker run. */
const PLAIN_USER = 'reelmill_app'

/**
 * The address with which web and worker use the embedded database. The password follows from the owner's
 * and does not lead back to it: nothing more has to be kept, and older installations need nothing new.
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
 * Makes the plain user where it is missing, gives it its rights, and closes the cluster's databases to
 * everybody else. Run after each migration.
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
