import noBareOwnImports from './no-bare-own-imports.mjs'
import onlyRemixExports from './only-remix-exports.mjs'
import serverValuesStayOnServer from './server-values-stay-on-server.mjs'
import tablesHaveOwners from './tables-have-owners.mjs'

/** Our own rules, each written after a trap of this stack (docs/architecture.md). */
export default {
  rules: {
    'no-bare-own-imports': noBareOwnImports,
    'only-remix-exports': onlyRemixExports,
    'server-values-stay-on-server': serverValuesStayOnServer,
    'tables-have-owners': tablesHaveOwners,
  },
}
