import { useEffect, useLayoutEffect } from 'react'

/** An effect that runs before the browser paints. On the server, where nothing is painted, React warns about it. */
export const useBeforePaint = typeof document === 'undefined' ? useEffect : useLayoutEffect
