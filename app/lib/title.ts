let product = 'Reelmill'

/** The product's name, as the operator has set it. */
export const productName = (): string => product

/** Sets the name: on the server at start, in the browser from the page. */
export const nameProduct = (name: string) => void (product = name)

/** Returns a page's title for the browser tab. */
export const pageTitle = (page: string): string => `${page} · ${product}`

/** Returns the metadata of a page for search engines and previews: its title and a description. */
export const pageMeta = (
  page: string,
  description = 'Turn prompts into short videos, one at a time or a hundred at once.',
) => [{ title: pageTitle(page) }, { name: 'description', content: description }]
