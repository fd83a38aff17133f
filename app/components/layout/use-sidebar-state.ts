import { useState } from 'react'
import { postInBackground } from '~/lib/post-in-background'

/** Whether the sidebar is collapsed: the cookie's word in the first HTML, then what was pressed. */
export function useSidebarState(stored: boolean) {
  const [isCollapsed, setCollapsed] = useState(stored)
  const toggle = (form: HTMLFormElement) => {
    // The answer sets the cookie, for the next page.
    postInBackground(form)
    setCollapsed(!isCollapsed)
  }
  return { isCollapsed, toggle }
}
