/** The colour of the page in each theme, for the bars of the browser: `--paper` of the style sheet. */
export const THEME_COLOURS = { light: '#f7f5f0', dark: '#131210' } as const
