import { testPairs } from '../../support/acts/pairs'
import { prompts } from '../../support/acts/prompts'

testPairs('a waiting prompt', prompts, { oneOfTraits: 4, oneOfActs: 8 })
