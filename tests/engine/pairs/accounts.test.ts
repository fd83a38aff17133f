import { accounts } from '../../support/acts/accounts'
import { testPairs } from '../../support/acts/pairs'

testPairs('an account', accounts, { oneOfTraits: 2, oneOfActs: 23 })
