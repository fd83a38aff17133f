import setup from './global'

/** The same set-up for Playwright. */
export default setup
