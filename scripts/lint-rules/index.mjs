import serverValuesStayOnServer from './server-values-stay-on-server.mjs'
import tablesHaveOwners from './tables-have-owners.mjs'

/** Our own lint rules. docs/architecture.md gives the reasons. */
export default {
  rules: {
    'server-values-stay-on-server': serverValuesStayOnServer,
    'tables-have-owners': tablesHaveOwners,
  },
}
