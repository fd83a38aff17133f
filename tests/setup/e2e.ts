import setup from './global'

/** The set-up of the other tests, for Playwright. */
export default setup
