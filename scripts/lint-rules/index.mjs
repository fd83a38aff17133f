import noBareOwnImports from './no-bare-own-imports.mjs'
import onlyRemixExports from './only-remix-exports.mjs'
import serverValuesStayOnServer from './server-values-stay-on-server.mjs'
import tablesHaveOwners from './tables-have-owners.mjs'

/** Our own lint rules. docs/architecture.md gives the reasons. */
export default {
  rules: {
    'no-bare-own-imports': noBareOwnImports,
    'only-remix-exports': onlyRemixExports,
    'server-values-stay-on-server': serverValuesStayOnServer,
    'tables-have-owners': tablesHaveOwners,
  },
}
