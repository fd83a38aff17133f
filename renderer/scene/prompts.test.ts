import { describe, expect, test } from 'vitest'
import { composeScene } from './compose'
import type { Scene } from './facts'

/** Prompts as users write them, and what their pictures must show; `missing` is empty unless it is said. */
const PROMPTS: readonly (readonly [string, Partial<Scene>])[] = [
  // What cannot be drawn has no stand-in; place, light and weather stay.
  [
    'A majestic lion walking through the savannah at golden hour',
    { place: 'field', time: 'dusk', elements: [], missing: ['majestic lion'] },
  ],
  [
    'A wolf howls at the moon on a snowy ridge',
    { place: 'mountains', time: 'night', weather: 'snow', elements: [], missing: ['wolf'] },
  ],
  [
    'A castle on a cliff in thick fog, a dragon circling its towers',
    { weather: 'fog', elements: ['castle'], missing: ['dragon'] },
  ],
  [
    'Knights fight dragons in front of a castle',
    { elements: ['castle'], missing: ['Knights', 'dragons'] },
  ],
  ['A shark swims past a coral reef', { place: 'underwater', elements: [], missing: ['shark'] }],
  [
    'A city bus in heavy traffic, rainy evening',
    { place: 'city', weather: 'rain', elements: [], missing: ['bus'] },
  ],
  ['A unicorn under a rainbow', { elements: ['rainbow'], missing: ['unicorn'] }],
  [
    'A drone shot of a waterfall in the jungle',
    { place: 'forest', motion: 'rise', missing: ['waterfall'] },
  ],
  ['A camel at noon', { place: 'desert', time: 'day', missing: ['camel'] }],
  ['A candle burning in a dark room', { place: 'room', missing: ['candle'] }],
  [
    'A small red dragon, a boat on a lake',
    { accent: null, elements: ['boat'], missing: ['small red dragon'] },
  ],
  [
    'A polar bear, a Polar Bear and polar bears',
    { missing: ['polar bear', 'Polar Bear', 'polar bears'] },
  ],
  [
    'Drone shot over a green rice terrace with farmers',
    { place: 'field', motion: 'rise', elements: ['person'], missing: ['green rice terrace'] },
  ],
  [
    'Two kittens playing with a ball of yarn on a sofa',
    { place: 'room', elements: ['cat'], missing: ['ball of yarn', 'sofa'] },
  ],
  [
    'An old man reading a newspaper on a park bench',
    { place: 'field', elements: ['person'], missing: ['newspaper', 'bench'] },
  ],
  [
    'A golden retriever catching a frisbee on the beach',
    { place: 'sea', elements: ['dog'], missing: ['frisbee'] },
  ],
  ['A hot dog with mustard', { elements: [], missing: ['hot dog'] }],
  [
    'Boat, lighthouse, whale, birds, car, a yellow kite',
    { elements: ['boat', 'lighthouse', 'whale', 'bird', 'car'], missing: ['kite'] },
  ],
  // What runs, and in which colour.
  [
    'A red fox runs through falling snow',
    { weather: 'snow', tone: 'natural', elements: ['fox'], running: ['fox'] },
  ],
  ['A fox sits in the snow', { elements: ['fox'], running: [] }],
  ['A dog runs past a sleeping cat', { elements: ['dog', 'cat'], running: ['dog'] }],
  ['A tiger chases a cat', { running: [], missing: ['tiger'] }],
  [
    'Two white horses galloping along the shore',
    { running: ['horse'], colours: { horse: '#f7f1e3' } },
  ],
  ['A river runs past a farmhouse', { place: 'lake', running: [] }],
  ['A cat on a red sofa', { accent: null, colours: {}, missing: ['red sofa'] }],
  // Words with two meanings.
  ['Fall colors in the mountains', { tone: 'autumn' }],
  ['A fox in an autumn forest, leaves falling around it', { tone: 'autumn' }],
  ['Snow falls on a quiet village', { weather: 'snow', tone: 'natural' }],
  ['Golden light on a wheat field, shallow depth of field', { tone: 'golden', place: 'field' }],
  ['City street, shallow depth of field', { place: 'city' }],
  ['The sun rose over the hills', { place: 'hills', elements: [] }],
  ['A single red rose', { elements: ['flower'] }],
  ['Cars parked along a street', { place: 'street', elements: ['car'] }],
  ['Children play in the park', { place: 'field', elements: ['person'] }],
  ['A paper crane on a desk', { place: 'room', elements: [], missing: ['paper crane'] }],
  [
    'A construction crane over the skyline',
    { place: 'city', elements: [], missing: ['construction crane'] },
  ],
  ['A cat staring out of the window at noon', { time: 'day', elements: ['cat'] }],
  ['A nurse cares for an old man', { elements: ['person'] }],
  ['A man fishing on a lake', { place: 'lake', elements: ['person'] }],
  ['A girl waves from a castle', { place: 'mountains', elements: ['person', 'castle'] }],
  ['Two friends chat in a coffee shop', { place: 'room', elements: ['person'] }],
  ['Bright neon lights in a Tokyo street at night', { time: 'night', tone: 'neon' }],
  ['The camera orbits around a house', { elements: ['house'] }],
  ['Palm trees on a sandy beach', { place: 'sea', elements: ['palm'] }],
  ['Black and white street', { tone: 'mono', accent: null }],
  ['An astronaut riding a horse on Mars', { place: 'desert', elements: ['astronaut', 'horse'] }],
  [
    'A steam train crossing a snowy valley',
    { place: 'mountains', weather: 'snow', elements: ['train'] },
  ],
  ['A lake without any boats', { place: 'lake', elements: [] }],
  // Other languages.
  [
    'Ein roter Fuchs läuft durch den Schnee',
    { weather: 'snow', elements: ['fox'], running: ['fox'] },
  ],
  ['Un renard court dans la forêt', { place: 'forest', elements: ['fox'], running: ['fox'] }],
  [
    'Un león en la sabana al atardecer',
    { place: 'field', time: 'dusk', elements: [], missing: ['león'] },
  ],
  ['Ein Haus am See, ein Kind', { place: 'lake', elements: ['house', 'person'] }],
  ['I see a kind of magic', { elements: [], isInvented: true }],
  ['Волк в лесу ночью', { place: 'forest', time: 'night', missing: ['Волк'] }],
  ['أسد في الصحراء', { place: 'desert', elements: [], missing: ['أسد'] }],
  ['ثعلب في الثلج', { weather: 'snow', elements: ['fox'] }],
]

describe('prompts as users write them', () => {
  test.each(PROMPTS)('%s', (prompt, facts) => {
    const scene = composeScene({ prompt, negativePrompt: null, seed: 7 })
    expect(scene).toMatchObject({ missing: [], ...facts })
    if (facts.colours) expect(scene.colours).toEqual(facts.colours)
  })

  test('what the negative prompt excludes is not missing', () => {
    const wish = { prompt: 'a dragon over a castle', negativePrompt: 'dragons', seed: 7 }
    expect(composeScene(wish).missing).toEqual([])
  })
})
