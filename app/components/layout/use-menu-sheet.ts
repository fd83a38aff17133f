import { useLocation } from '@remix-run/react'
import { useEffect, type RefObject } from 'react'

/**
 * What scripts add to the menu's checkbox: a navigation or Escape closes the sheet, and the page
 * behind an open sheet cannot be reached.
 */
export function useMenuSheet(
  menu: RefObject<HTMLInputElement>,
  page: RefObject<HTMLElement>,
): void {
  const { key } = useLocation()
  useEffect(() => {
    if (menu.current?.checked) menu.current.click()
  }, [key, menu])
  useEffect(() => {
    const box = menu.current
    if (!box) return
    const onChange = () => page.current?.toggleAttribute('inert', box.checked)
    const onKeyDown = (event: KeyboardEvent) => {
      // A sheet in the menu is closed first.
      if (event.key !== 'Escape' || event.defaultPrevented || !box.checked) return
      box.click()
      box.focus()
    }
    // A window that has become wide has no sheet.
    const wide = window.matchMedia('(min-width: 768px)')
    const onWide = () => box.checked && box.click()
    const ends = new AbortController()
    const { signal } = ends
    box.addEventListener('change', onChange, { signal })
    window.addEventListener('keydown', onKeyDown, { signal })
    wide.addEventListener('change', onWide, { signal })
    return () => ends.abort()
  }, [menu, page])
}
