import { useOutletContext, useRouteLoaderData } from '@remix-run/react'
import type { Contacts } from '~/http/contacts.server'
import type { loader } from '~/root'

type PublicData = { contacts: Contacts; isSignedIn: boolean }

/** What every public page knows: the product's name, the operator's contacts, whether somebody is signed in. */
export function usePublicData(): PublicData & { product: string } {
  const root = useRouteLoaderData<typeof loader>('root')
  return { ...useOutletContext<PublicData>(), product: root?.product ?? '' }
}
