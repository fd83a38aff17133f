import { z } from 'zod'
import { userTableQuery } from '~/domain/administration/users/list-schemas'
import { userTableAddress } from '~/domain/administration/users/user-list'
import type { AdminCtx } from '~/domain/context'
import { closedAddress, dialogAddress } from '~/lib/dialog-address'
import type { FormHandler } from '~/http/forms/forms.server'

// What the forms of the users page share.

/** Form handlers by intent. */
export type Handlers = Record<string, FormHandler>

/** The page that contains the forms: its address, and the token of the session. */
export type Page = { ctx: AdminCtx; path: string; search: string; token: string }

/** Input of a form about one user. */
export const oneUser = z.object({ id: z.string() })

/** Returns the address of the page with its dialog closed. */
export const back = ({ path, search }: Page) => path + closedAddress(search)

/** Returns the query of the list, for a page that leads back to it. */
export const listOf = ({ search }: Page) =>
  userTableAddress(userTableQuery.parse(Object.fromEntries(new URLSearchParams(search))))

/** Returns the address of the page with the dialog of the new credentials. */
export const shown = ({ path, search }: Page) => path + dialogAddress(search, 'credentials')

/** Returns the toast of a form that has succeeded. */
export const done = (title: string, description?: string) => ({
  ...({ kind: 'success', title } as const),
  ...(description !== undefined && { description }),
})
