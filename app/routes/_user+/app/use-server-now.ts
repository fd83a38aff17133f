import { useEffect, useMemo, useState } from 'react'

/**
 * Returns the server's time, advanced every second by the browser's clock while `isTicking`. Until
 * scripts run it is the time at which the page was rendered.
 */
export function useServerNow(now: string, isTicking: boolean): Date {
  const made = useMemo(() => new Date(now).getTime(), [now])
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    setElapsed(0)
    if (!isTicking) return
    const arrivedAt = performance.now()
    const timer = setInterval(() => setElapsed(performance.now() - arrivedAt), 1000)
    return () => clearInterval(timer)
  }, [made, isTicking])
  return new Date(made + elapsed)
}
