/** The colours of colour words, as on paper. */
export const COLOUR_WORDS: ReadonlyMap<string, string> = new Map([
  ['red', '#d8432f'],
  ['crimson', '#b3263a'],
  ['orange', '#f08a34'],
  ['yellow', '#f4c542'],
  ['golden', '#e8b04a'],
  ['green', '#4f9d5d'],
  ['emerald', '#2f8f6b'],
  ['turquoise', '#3bb3ac'],
  ['teal', '#2f8f92'],
  ['blue', '#3f7fd0'],
  ['indigo', '#4b4fb0'],
  ['purple', '#8358b8'],
  ['violet', '#8a5fc8'],
  ['pink', '#ec7fa2'],
  ['magenta', '#cf3f8f'],
  ['brown', '#8a5a3c'],
  ['white', '#f7f1e3'],
  ['black', '#22242c'],
  ['silver', '#c3c9d2'],
  ['grey', '#8d9299'],
  ['gray', '#8d9299'],
])

/** In a negative prompt these words switch off the caption. */
export const TEXT_WORDS: ReadonlySet<string> = new Set([
  'text',
  'texts',
  'caption',
  'captions',
  'subtitle',
  'subtitles',
  'lettering',
  'typography',
])
