import { useLocation, useNavigate, useRevalidator } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { PAGE_SIZES } from '~/domain/videos/rules'
import type { Pagination } from '~/domain/videos/types'
import { galleryAddress } from './address'

/** From this width up a page has more cards (specification §9). */
const WIDE = '(min-width: 768px)'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/**
 * Requests the page size that fits the screen. The server does not know the screen's width, so its
 * first page is a small one. The browser requests another size once, and a cookie stores it for the
 * next visit (decision Q-26).
 */
export function usePageSize({ page, limit, totalCount }: Pagination): void {
  const { search } = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    const wanted = window.matchMedia(WIDE).matches ? PAGE_SIZES.wide : PAGE_SIZES.narrow
    if (wanted === limit) return
    document.cookie = `pageSize=${wanted}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`
    if (totalCount <= PAGE_SIZES.narrow) return
    const same = Math.floor(((page - 1) * limit) / wanted) + 1
    if (page === 1) revalidate()
    else
      navigate(galleryAddress(search, { page: same }), { replace: true, preventScrollReset: true })
  }, [limit, page, totalCount, search, navigate, revalidate])
}
