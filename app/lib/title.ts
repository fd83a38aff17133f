/** A page's title in the browser's tab. */
export const pageTitle = (page: string, product = 'Reelmill'): string => `${page} · ${product}`

/** What search engines and previews show of a page: its title and a sentence on what it is for. */
export const pageMeta = (
  page: string,
  description = 'Turn prompts into short videos, one at a time or a hundred at once.',
) => [{ title: pageTitle(page) }, { name: 'description', content: description }]
