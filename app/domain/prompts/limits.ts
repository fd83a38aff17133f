/** Library prompts are passed in addresses (`/app?prompt=`), so their length is limited. */
export const LIBRARY_PROMPT_CHARACTERS = 1000
