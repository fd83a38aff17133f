/** A prompt of the library travels in addresses (`/app?prompt=`), which may not grow without end. */
export const LIBRARY_PROMPT_CHARACTERS = 1000
