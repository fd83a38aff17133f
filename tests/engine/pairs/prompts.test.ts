import { testPairs } from '../../support/acts/pairs'
import { prompts } from '../../support/acts/prompts'

testPairs('a waiting prompt', prompts, { oneOfTraits: 2, oneOfActs: 2 })
