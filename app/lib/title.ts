/** Returns a page's title for the browser tab. */
export const pageTitle = (page: string, product = 'Reelmill'): string => `${page} · ${product}`

/** Returns the metadata of a page for search engines and previews: its title and a description. */
export const pageMeta = (
  page: string,
  description = 'Turn prompts into short videos, one at a time or a hundred at once.',
) => [{ title: pageTitle(page) }, { name: 'description', content: description }]
