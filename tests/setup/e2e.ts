import setup from './global'

/** Playwright's turn of the same set-up. */
export default setup
