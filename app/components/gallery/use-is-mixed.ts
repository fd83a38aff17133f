import { useState } from 'react'
import type { GalleryPage } from '~/domain/videos/types'
import { areMixed } from '../videos/ratio-class'

/**
 * Returns whether a page has upright and wide videos. It stays so while the same page of the same list is
 * shown: a video that leaves changes the size of no other.
 */
export function useIsMixed({ videos, filters, pagination }: GalleryPage): boolean {
  const { page, limit } = pagination
  const list = JSON.stringify([filters, page, limit])
  const [kept, keep] = useState({ list, isMixed: areMixed(videos) })
  const isMixed = areMixed(videos) || (kept.list === list && kept.isMixed)
  if (kept.list !== list || kept.isMixed !== isMixed) keep({ list, isMixed })
  return isMixed
}
