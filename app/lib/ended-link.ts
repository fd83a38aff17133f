/**
 * What visitors are told at the address of a share link that leads nowhere. The same whatever the cause: nobody
 * learns whether there was such a link, or what it led to.
 */
export const ENDED_LINK = {
  title: 'This link has ended',
  text: 'Its time is over, it was ended, or its clip was deleted. Whoever sent it to you can make a new one.',
} as const

/** Returns whether an address is that of a share link, or of one of its files. */
export const isShareAddress = (pathname: string): boolean => pathname.startsWith('/shared/')
