/** Maximum size of an uploaded prompt file. */
export const PROMPT_FILE_BYTES = 900 * 1024

/** Says that a file is above `PROMPT_FILE_BYTES`. */
export const PROMPT_FILE_TOO_LARGE = 'The file is larger than 900 kB'
