import { useId } from 'react'

/**
 * React's `useId` as an id that begins with a letter, as style sheets and other programs want it; the
 * same on server and client.
 */
export const useElementId = (): string => `id${useId().replace(/:/g, '')}`
