import { useOutletContext } from '@remix-run/react'
import type { Contacts } from '~/http/loaders/contacts.server'
import { useRootData } from '../ui/use-root-data'

type PublicData = { contacts: Contacts; isSignedIn: boolean }

/** What every public page knows: the product's name, the operator's contacts, whether somebody is signed in. */
export function usePublicData(): PublicData & { product: string } {
  const root = useRootData()
  return { ...useOutletContext<PublicData>(), product: root?.product ?? '' }
}
