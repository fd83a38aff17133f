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
      if (event.key !== 'Escape' || !box.checked) return
      box.click()
      box.focus()
    }
    // A window that has become wide has no sheet.
    const wide = window.matchMedia('(min-width: 768px)')
    const onWide = () => box.checked && box.click()
    box.addEventListener('change', onChange)
    window.addEventListener('keydown', onKeyDown)
    wide.addEventListener('change', onWide)
    return () => {
      box.removeEventListener('change', onChange)
      window.removeEventListener('keydown', onKeyDown)
      wide.removeEventListener('change', onWide)
    }
  }, [menu, page])
}
