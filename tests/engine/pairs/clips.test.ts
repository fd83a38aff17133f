import { clips } from '../../support/acts/clips'
import { testPairs } from '../../support/acts/pairs'

testPairs('a clip', clips, { oneOf: 8 })
