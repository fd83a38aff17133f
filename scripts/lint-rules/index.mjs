import tablesHaveOwners from './tables-have-owners.mjs'

/** Our own lint rule. docs/architecture.md gives the reasons. */
export default {
  rules: {
    'tables-have-owners': tablesHaveOwners,
  },
}
