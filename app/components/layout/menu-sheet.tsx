import { useLocation } from '@remix-run/react'
import { Menu } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { buttonClass } from '../ui/button'

/** The menu on small screens. The browser opens and closes it; scripts only add Escape and moving on. */
export function MenuSheet({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  useEffect(() => sheet.current?.removeAttribute('open'), [key])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !sheet.current?.open) return
      sheet.current.open = false
      sheet.current.querySelector('summary')?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <details ref={sheet} className="group md:hidden">
      <summary
        className={buttonClass(
          'quiet',
          'cursor-pointer list-none px-2.5 [&::-webkit-details-marker]:hidden',
        )}
      >
        <Menu aria-hidden className="size-5" />
        <span className="sr-only">Menu</span>
        <span aria-hidden className="fixed inset-0 z-30 hidden bg-film/50 group-open:block" />
      </summary>
      <div className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[85vw] flex-col overflow-y-auto border-r border-line bg-surface shadow-overlay">
        {children}
      </div>
    </details>
  )
}
