import { excerpt, nameOnOneLine } from '~/lib/text'
import { titleOf } from './video-names'

/** With the ellipsis one more, which is the longest title that the large services take. */
const TITLE_CHARACTERS = 99

/** A word with a letter behind #, which does not stand within another word. */
const TAGS = /(?<![\p{L}\p{M}\p{N}_&#])#(?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu

export type Post = { title: string; text: string; tags: string[] }

/** Returns what a scheduler posts with a clip. Tags are the #words of its name and prompt, each once. */
export function postOf(video: { name: string | null; prompt: string }): Post {
  const { name, prompt } = video
  const found = `${name ?? ''}\n${prompt}`.match(TAGS) ?? []
  const tags = new Map(found.toReversed().map((tag) => [tag.toLowerCase(), tag]))
  return {
    title: excerpt(nameOnOneLine(titleOf(video)).trim(), TITLE_CHARACTERS),
    text: prompt,
    tags: [...tags.values()].toReversed(),
  }
}
