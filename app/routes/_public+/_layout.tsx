import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import type { RouteHandle } from '~/components/layout/handle'
import { readContacts } from '~/http/loaders/contacts.server'

/** Public pages need no React in the browser and ship none of it. */
export const handle: RouteHandle = { scripts: false }

export async function loader({ context }: LoaderFunctionArgs) {
  const username = context.visitor?.account.username ?? null
  return json({ contacts: await readContacts(), username })
}

export default function PublicLayout() {
  return <Outlet context={useLoaderData<typeof loader>()} />
}
