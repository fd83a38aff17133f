import { useOutletContext } from '@remix-run/react'
import type { Contacts } from '~/domain/context'
import { useRootData } from '../ui/use-root-data'

type PublicData = { contacts: Contacts; username: string | null }

/**
 * Returns what every public page needs: the product's name, the operator's contacts and who is signed
 * in; null: a visitor.
 */
export function usePublicData(): PublicData & { product: string; isSignedIn: boolean } {
  const root = useRootData()
  const data = useOutletContext<PublicData>()
  return { ...data, isSignedIn: data.username !== null, product: root?.product ?? '' }
}
