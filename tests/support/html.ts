const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Returns the text of a piece of HTML as a reader sees it, with one space in place of markup. */
export const textOf = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x27|\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim()

/** Returns the HTML of every card of a gallery, in the order of the page. */
export const cardsOf = (html: string): string[] =>
  [...html.matchAll(/<article\b[\s\S]*?<\/article>/g)].map(([card]) => card)

/** Returns the figures above a gallery, by their names. */
export function countersOf(html: string): Record<string, number> {
  const list = /<dl aria-label="Videos"[\s\S]*?<\/dl>/.exec(html)?.[0] ?? ''
  return Object.fromEntries<number>(
    [...list.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd[^>]*>(\d+)<\/dd>/g)].map(
      ([, name = '', value]) => [name, Number(value)],
    ),
  )
}
