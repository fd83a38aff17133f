const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** What a reader sees of a piece of HTML: its text, with one space wherever markup stood. */
export const textOf = (html: string): string =>
  html
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(#x27|\w+);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim()

/** The HTML of every card of a gallery, in the order of the page. */
export const cardsOf = (html: string): string[] =>
  [...html.matchAll(/<article\b[\s\S]*?<\/article>/g)].map(([card]) => card)

/** The figures above a gallery, by their names. */
export function countersOf(html: string): Record<string, number> {
  const list = /<dl aria-label="Videos"[\s\S]*?<\/dl>/.exec(html)?.[0] ?? ''
  return Object.fromEntries<number>(
    [...list.matchAll(/<dt[^>]*>([^<]+)<\/dt><dd[^>]*>(\d+)<\/dd>/g)].map(
      ([, name = '', value]) => [name, Number(value)],
    ),
  )
}
