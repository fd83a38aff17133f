import type { ElementKind, Mood, Motion, Pace, Place, TimeOfDay, Tone, Weather } from './facts'

/** Words that state a place. Two words joined by a hyphen are looked up as a pair. */
export const PLACE_WORDS = {
  hills: 'hill landscape abstract',
  mountains:
    'mountain peak summit alps alpine everest himalaya cliff canyon valley ridge volcano glacier',
  lake: 'lake mountain-lake river pond waterfall stream fjord shore lagoon reservoir creek',
  sea: 'sea ocean beach coast wave harbor harbour bay island surf sailing tide shoreline horizon port',
  forest: 'forest wood woodland jungle grove rainforest taiga enchanted trail',
  field:
    'field meadow farm prairie grassland countryside pasture garden park lawn wheat vineyard savanna',
  desert: 'desert dune sahara sand mesa arid wasteland oasis mars martian',
  city: 'city skyline downtown metropolis skyscraper rooftop tokyo york london dubai cityscape urban megacity',
  street:
    'street alley road avenue boulevard sidewalk town village market lane highway crosswalk pavement',
  room: 'room kitchen bedroom office interior studio cafe library desk sofa window indoor fireplace classroom workshop',
  space:
    'space galaxy nebula cosmos universe orbit asteroid interstellar astronaut spaceship spacecraft starship milky-way',
  underwater: 'underwater reef coral seabed submarine aquarium diver undersea',
} as const satisfies Record<Place, string>

export const TIME_WORDS = {
  dawn: 'dawn sunrise morning daybreak early',
  day: 'day noon midday daytime afternoon sunny daylight sunlit bright',
  dusk: 'dusk sunset evening twilight golden-hour sundown',
  night:
    'night midnight nocturnal nighttime moonlit moonlight moon starlit starry star dark darkness',
} as const satisfies Record<TimeOfDay, string>

export const WEATHER_WORDS = {
  clear: 'clear cloudless',
  cloudy: 'cloud cloudy overcast',
  rain: 'rain rainy raining drizzle shower wet puddle monsoon',
  snow: 'snow snowy snowfall blizzard winter snowflake frost frozen ice icy christmas',
  fog: 'fog foggy mist misty haze hazy smoke smoky',
  storm: 'storm stormy thunder thunderstorm lightning hurricane tempest',
} as const satisfies Record<Weather, string>

export const MOOD_WORDS = {
  calm: 'calm quiet peaceful serene gentle tranquil still relaxing cozy cosy',
  joyful:
    'joyful joy happy fun cheerful playful festive celebration party laughing smile carnival summer spring',
  tense:
    'tense dramatic scary horror danger dangerous battle war chase explosion dark-forest epic angry',
  sad: 'sad lonely alone melancholy abandoned grief empty lost crying tears',
  dreamy: 'dream dreamy magic magical fantasy surreal fairy ethereal mystical wonder',
} as const satisfies Record<Mood, string>

export const MOTION_WORDS = {
  pan: 'pan panning tracking gliding driving travelling traveling passing walking running',
  push: 'zoom close closeup dolly approach approaching push forward entering',
  pull: 'wide reveal revealing backward retreat pull',
  drift: 'drift drifting float floating hover swaying',
  rise: 'aerial rising drone flying fly flight ascending soar soaring launch tilt',
} as const satisfies Record<Motion, string>

export const PACE_WORDS = {
  slow: 'slow slowly gently gentle softly slow-motion',
  steady: 'steady',
  fast: 'fast quick quickly racing speeding speed rapid rush hyperlapse timelapse',
} as const satisfies Record<Pace, string>

export const TONE_WORDS = {
  natural: 'natural realistic',
  neon: 'neon cyberpunk synthwave futuristic vaporwave retro-wave holographic',
  pastel: 'pastel watercolor watercolour soft kawaii cute',
  mono: 'monochrome noir grayscale greyscale black-white',
  golden: 'golden gold autumn fall amber warm',
} as const satisfies Record<Tone, string>

export const ELEMENT_WORDS = {
  boat: 'boat sailboat sail canoe kayak rowboat fishing-boat yacht gondola raft',
  paperBoat: 'paper-boat origami-boat',
  ship: 'ship ferry pirate vessel galleon cruise',
  whale: 'whale orca dolphin',
  fish: 'fish shark goldfish koi salmon jellyfish',
  car: 'car taxi truck bus vehicle van jeep motorcycle',
  train: 'train locomotive railway tram subway',
  bicycle: 'bicycle bike cyclist cycling',
  tree: 'tree oak maple blossom orchard sakura apple-tree',
  pine: 'pine fir spruce christmas-tree evergreen',
  palm: 'palm tropical coconut',
  cactus: 'cactus cacti',
  flower: 'flower rose tulip sunflower daisy lavender poppy petal bloom lily lotus',
  mushroom: 'mushroom fungus toadstool',
  person:
    'person people man woman girl boy child children kid traveler traveller hiker couple friend monk dancer samurai figure walker stranger crowd player chef artist',
  umbrella: 'umbrella parasol',
  astronaut: 'astronaut cosmonaut spaceman',
  robot: 'robot android cyborg droid',
  cat: 'cat kitten kitty',
  dog: 'dog puppy corgi wolf fox',
  horse: 'horse pony unicorn stallion',
  deer: 'deer stag elk moose reindeer antelope',
  house: 'house cabin cottage hut barn home chalet villa',
  castle: 'castle palace fortress tower temple kingdom',
  lighthouse: 'lighthouse beacon',
  windmill: 'windmill turbine mill',
  tent: 'tent camp camping',
  fire: 'fire campfire bonfire flame burning',
  bird: 'bird seagull gull eagle crow swallow dove pigeon flock hawk parrot',
  butterfly: 'butterfly moth dragonfly firefly',
  balloon: 'balloon airship zeppelin hot-air',
  kite: 'kite',
  lantern: 'lantern lamp candle paper-lantern',
  plane: 'plane airplane aeroplane aircraft jet',
  rocket: 'rocket spaceship spacecraft starship missile shuttle',
  planet: 'planet saturn jupiter earth',
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
