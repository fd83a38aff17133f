import { useId } from 'react'

/**
 * Returns React's `useId` as an id that starts with a letter, as style sheets and other programs
 * require. It is the same on server and client.
 */
export const useElementId = (): string => `id${useId().replace(/:/g, '')}`
