import type { ElementKind, Mood, Motion, Pace, Place, TimeOfDay, Tone, Weather } from './facts'

/**
 * Words that state a place. Two or three words joined by hyphens are looked up as a phrase, before its
 * words one by one.
 */
export const PLACE_WORDS = {
  hills: 'hill hilly landscape abstract',
  mountains: 'mountain peak summit alps alpine everest himalaya cliff canyon valley ridge glacier',
  lake: 'lake mountain-lake river pond stream fjord shore lagoon reservoir creek',
  sea: 'sea ocean beach coast harbor harbour bay island seaside shoreline port',
  forest: 'forest woods the-wood woodland jungle grove rainforest taiga',
  field:
    'field meadow farm prairie grassland countryside pasture garden park lawn wheat vineyard savanna savannah',
  desert: 'desert dune sahara mesa arid wasteland oasis mars martian',
  city: 'city skyline downtown metropolis skyscraper rooftop tokyo new-york london paris dubai rio-de-janeiro cityscape urban megacity',
  street:
    'street alley road avenue boulevard sidewalk town village market lane highway crosswalk pavement',
  room: 'room kitchen bedroom office interior studio cafe coffee-shop tea-house library indoor indoors classroom workshop',
  space: 'space outer-space galaxy nebula cosmos universe in-orbit asteroid interstellar milky-way',
  underwater:
    'underwater under-water reef coral seabed aquarium fish-tank undersea deep-sea deep-ocean',
} as const satisfies Record<Place, string>

/** Words that only hint at a place: a stated place outweighs them. */
export const PLACE_HINTS: Partial<Record<Place, string>> = {
  sea: 'wave surf surfing sailing tide horizon sandy-beach',
  forest: 'trail enchanted',
  desert: 'sand sandy',
  room: 'desk window',
  space: 'astronaut cosmonaut spaceman spaceship spacecraft starship',
}

export const TIME_WORDS = {
  dawn: 'dawn sunrise morning early-morning daybreak',
  day: 'day noon midday daytime afternoon sunny daylight sunlit bright-sun bright-sunlight bright-sky',
  dusk: 'dusk sunset evening twilight golden-hour sundown',
  night:
    'night midnight nocturnal nighttime moonlit moonlight moon starlit starry star dark darkness',
} as const satisfies Record<TimeOfDay, string>

export const WEATHER_WORDS = {
  clear: 'clear cloudless',
  cloudy: 'cloud cloudy overcast',
  rain: 'rain rainy raining drizzle drizzling shower wet puddle monsoon',
  snow: 'snow snowy snowing snowfall blizzard winter wintry snowflake frost frosty frozen ice icy christmas',
  fog: 'fog foggy mist misty haze hazy smoky',
  storm: 'storm stormy thunder thunderstorm lightning hurricane tempest',
} as const satisfies Record<Weather, string>

export const MOOD_WORDS = {
  calm: 'calm quiet peaceful serene gentle tranquil still relaxing cozy cosy',
  joyful:
    'joyful joy happy fun cheerful playful festive celebration party laughing smile carnival summer spring',
  tense:
    'tense dramatic scary horror danger dangerous battle war chase explosion dark-forest epic angry',
  sad: 'sad lonely alone melancholy abandoned grief empty lost crying tears',
  dreamy: 'dream dreamy magic magical fantasy surreal fairy ethereal mystical wonder firefly',
} as const satisfies Record<Mood, string>

export const MOTION_WORDS = {
  pan: 'pan panning tracking gliding driving travelling traveling passing walking running',
  push: 'zoom zooming close closeup dolly approach approaching push pushing forward entering',
  pull: 'wide reveal revealing backward retreat retreating pull pulling',
  drift: 'drift drifting float floating hover swaying',
  rise: 'aerial rising drone flying fly flight ascending soar soaring launch tilt tilting',
} as const satisfies Record<Motion, string>

export const PACE_WORDS = {
  slow: 'slow slowly gently gentle softly slow-motion',
  steady: 'steady',
  fast: 'fast quick quickly racing speeding speed rapid rush rushing hyperlapse timelapse',
} as const satisfies Record<Pace, string>

export const TONE_WORDS = {
  natural: 'natural realistic',
  neon: 'neon cyberpunk synthwave futuristic vaporwave retro-wave holographic',
  pastel: 'pastel watercolor watercolour soft kawaii cute',
  mono: 'monochrome film-noir grayscale greyscale black-white black-and-white',
  golden: 'golden gold amber warm',
  autumn:
    'autumn autumnal in-fall in-the-fall of-fall fall-color fall-colour fall-foliage fall-leaf fall-forest fall-day fall-morning fall-afternoon fall-evening falling-leaf fallen-leaf leaf-falling leaf-fall',
} as const satisfies Record<Tone, string>

export const ELEMENT_WORDS = {
  boat: 'boat sailboat sail rowboat fishing-boat yacht',
  paperBoat: 'paper-boat origami-boat',
  ship: 'ship ferry pirate-ship vessel galleon cruise-ship',
  whale: 'whale',
  fish: 'fish goldfish koi salmon',
  car: 'car taxi vehicle toy-car',
  train: 'train locomotive railway',
  bicycle: 'bicycle bike cyclist cycling',
  tree: 'tree oak maple blossom orchard sakura apple-tree',
  pine: 'pine pine-tree fir fir-tree spruce christmas-tree evergreen',
  palm: 'palm palm-tree',
  cactus: 'cactus cacti',
  flower: 'flower rose tulip sunflower daisy lavender poppy petal bloom lily lotus',
  mushroom: 'mushroom fungus toadstool',
  person:
    'person people man men woman women girl boy child children kid lady mother father grandmother grandfather brother sister family student teacher farmer fisherman tourist wanderer traveler traveller hiker couple friend monk dancer figure walker runner stranger crowd player chef artist',
  umbrella: 'umbrella parasol',
  astronaut: 'astronaut cosmonaut spaceman',
  robot: 'robot android cyborg droid',
  cat: 'cat kitten kitty',
  dog: 'dog puppy corgi beagle labrador golden-retriever retriever husky',
  fox: 'fox red-fox vixen',
  horse: 'horse pony mare stallion',
  deer: 'deer stag elk reindeer',
  house: 'house cabin cottage hut barn home farmhouse chalet villa',
  castle: 'castle palace fortress',
  lighthouse: 'lighthouse light-house',
  windmill: 'windmill',
  tent: 'tent camp camping',
  fire: 'fire campfire bonfire flame burning',
  bird: 'bird seagull gull eagle crow swallow dove pigeon flock hawk parrot',
  butterfly: 'butterfly moth',
  balloon: 'balloon hot-air-balloon hot-air',
  kite: 'kite',
  lantern: 'lantern paper-lantern',
  plane: 'plane airplane aeroplane aircraft jet',
  rocket: 'rocket spaceship space-ship spacecraft starship missile space-shuttle',
  planet: 'planet saturn jupiter the-earth planet-earth',
  aurora: 'aurora northern-light borealis',
  rainbow: 'rainbow',
  fireworks: 'firework fireworks',
} as const satisfies Record<ElementKind, string>

/** The place of an element if the prompt names none. */
export const HOMES: Partial<Record<ElementKind, Place>> = {
  boat: 'sea',
  paperBoat: 'sea',
  ship: 'sea',
  whale: 'sea',
  lighthouse: 'sea',
  palm: 'sea',
  fish: 'underwater',
  car: 'street',
  bicycle: 'street',
  umbrella: 'street',
  train: 'mountains',
  castle: 'mountains',
  robot: 'city',
  fireworks: 'city',
  pine: 'forest',
  mushroom: 'forest',
  deer: 'forest',
  tent: 'mountains',
  aurora: 'mountains',
  cactus: 'desert',
  rocket: 'desert',
  planet: 'space',
  tree: 'field',
  flower: 'field',
  horse: 'field',
  dog: 'field',
  fox: 'forest',
  butterfly: 'field',
  windmill: 'field',
  balloon: 'field',
  kite: 'field',
  cat: 'room',
}

/** The hour for an element if the prompt names none. */
export const HOURS: Partial<Record<ElementKind, TimeOfDay>> = {
  lantern: 'night',
  fireworks: 'night',
  fire: 'night',
  aurora: 'night',
  planet: 'night',
  lighthouse: 'dusk',
  rainbow: 'day',
  kite: 'day',
  butterfly: 'day',
  balloon: 'dawn',
}

/** Words for running, of the animal that stands nearest to them. */
export const RUN_WORDS =
  'run running runs ran gallop galloping gallops sprint sprinting sprints dash dashing dashes race racing leap leaping leaps trot trotting trots chase chasing chases corre corriendo court rennt lauft бежит kosuyor يركض'

/** Phrases that name nothing, though their words do. */
export const EMPTY_PHRASES =
  'depth-of-field field-of-view negative-space copy-space living-space personal-space rose-gold palm-of movie-star rock-star pop-star fairy-tale still-life flower-pot horse-power close-to wide-eyed train-of-thought cat-walk light-trail'

/** Words that are verbs, and name nothing, after a pronoun, `to` or the name of a thing. */
export const VERBS: ReadonlySet<string> = new Set(
  'rose park parks wave waves fall falls spring springs fish fishes train trains ship ships camp camps swallow swallows star stars duck ducks crane cranes bear bears seal seals swing swings drum drums bat bats'.split(
    ' ',
  ),
)

/** What stands before a verb, besides the names of things. */
export const SUBJECTS: ReadonlySet<string> = new Set(
  'i you he she it we they who that to sun moon smoke'.split(' '),
)

/** Words that a name begins with, as the caption repeats it: `a red fox`. */
export const ARTICLES: ReadonlySet<string> = new Set(
  'a an the one two three four five six several many some his her its their my our your this that ein eine einen un une el la le der die das'.split(
    ' ',
  ),
)
