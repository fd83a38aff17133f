/**
 * What visitors are told at the address of a share link that leads nowhere. It is the same for every cause, so
 * that nobody learns whether there was such a link, or what it led to.
 */
export const ENDED_LINK = {
  title: 'This link has ended',
  text: 'It has expired or was ended, or its clip was deleted. Whoever sent it to you can make a new one.',
} as const

/** Returns whether an address is that of a share link, or of one of its files. */
export const isShareAddress = (pathname: string): boolean => pathname.startsWith('/shared/')
