import { clips } from '../../support/acts/clips'
import { testPairs } from '../../support/acts/pairs'

testPairs('a clip', clips, {
  oneOfTraits: 4,
  oneOfActs: 24,
  // Clips are removed for good, with the record of their orders.
  except: ['I1 what was accepted is there', 'I7 every order is recorded'],
})
