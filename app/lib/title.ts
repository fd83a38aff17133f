/** A page's title in the browser's tab. */
export const pageTitle = (page: string, product = 'Reelmill'): string => `${page} · ${product}`
