import { figure } from '~/lib/figures'
import { maskToken } from '../../tokens/rules'
import {
  ACCOUNT_COLUMNS,
  FIELD_NAMES,
  fieldsOf,
  pickFields,
  type ImportedFields,
} from '../account-fields'
import type { BulkFacts } from '../changes/bulk-rules'
import type { ImportEntry } from './import-rules'
import type { ManagedUser } from '../types'

/** The values of an account that an import changes. */
export type ImportedFacts = ImportedFields & { bearerToken: string }

/**
 * Returns the values of an entry that differ from the account's. A column without a value changes
 * nothing. `token` is the account's own token in clear text, if it has one.
 */
export function changedBy(
  entry: ImportEntry,
  account: ManagedUser,
  token: string | null,
): Partial<ImportedFacts> {
  const { given, bearerToken } = entry
  const changed = FIELD_NAMES.filter(
    (name) => given.includes(name) && entry[name] !== account[name],
  )
  return {
    ...pickFields(entry, changed),
    ...(bearerToken !== null && bearerToken !== token && { bearerToken }),
  }
}

/** Returns each change as a sentence: `Plan: Business → Starter`. Tokens are masked. */
export function changeTexts(account: ManagedUser, changed: Partial<ImportedFacts>): string[] {
  const { bearerToken } = changed
  const before = { ...account, bearerToken: account.tokenMasked }
  const after = { ...changed, ...(bearerToken && { bearerToken: maskToken(bearerToken) }) }
  return ([...FIELD_NAMES, 'bearerToken'] as const).flatMap((name) => {
    const value = after[name]
    if (value === undefined) return []
    return [`${ACCOUNT_COLUMNS[name].label}: ${valueText(before[name])} → ${valueText(value)}`]
  })
}

function valueText(value: string | number | boolean | null): string {
  if (value === null) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? figure(value) : value
}

/** Returns the values of an account with which an import can be undone. Tokens are not among them. */
export const factsOf = (user: ManagedUser): BulkFacts => ({ exists: true, ...fieldsOf(user) })
