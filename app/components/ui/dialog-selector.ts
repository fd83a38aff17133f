/** Matches a dialog that the server has rendered. */
export const OPEN_DIALOG = 'dialog[open]'
