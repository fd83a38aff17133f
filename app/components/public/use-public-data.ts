import { useOutletContext } from '@remix-run/react'
import type { Contacts } from '~/domain/context'
import { useRootData } from '../ui/use-root-data'

type PublicData = { contacts: Contacts; isSignedIn: boolean }

/**
 * Returns what every public page needs: the product's name, the operator's contacts and whether the
 * visitor is signed in.
 */
export function usePublicData(): PublicData & { product: string } {
  const root = useRootData()
  return { ...useOutletContext<PublicData>(), product: root?.product ?? '' }
}
