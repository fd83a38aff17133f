import { useState } from 'react'
import { postInBackground } from '~/lib/post-in-background'

/**
 * Returns whether the sidebar is collapsed: initially as the cookie says, then as the user chose.
 */
export function useSidebarState(stored: boolean) {
  const [isCollapsed, setCollapsed] = useState(stored)
  const toggle = (form: HTMLFormElement) => {
    // The response sets the cookie for the next page.
    postInBackground(form)
    setCollapsed(!isCollapsed)
  }
  return { isCollapsed, toggle }
}
