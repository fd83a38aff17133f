import { useState } from 'react'
import type { AspectRatio, CardView, GalleryPage } from '~/domain/videos/types'

/** The shape of the frames of a page: that of its videos, or one for both. */
export type FrameShape = AspectRatio | 'mixed'

function shapeOf(videos: readonly CardView[]): FrameShape {
  const ratios = new Set(videos.map(({ aspectRatio }) => aspectRatio))
  const [only] = ratios
  return only !== undefined && ratios.size === 1 ? only : 'mixed'
}

/**
 * Returns the shape of the frames of a page. It stays while the same page of the same list is shown,
 * so that a video that arrives changes the size of no other.
 */
export function useFrameShape({ videos, filters, pagination }: GalleryPage): FrameShape {
  const { page, limit } = pagination
  const list = JSON.stringify([filters, page, limit, videos.length === 0])
  const [kept, keep] = useState({ list, shape: shapeOf(videos) })
  if (kept.list === list) return kept.shape
  const shape = shapeOf(videos)
  keep({ list, shape })
  return shape
}
