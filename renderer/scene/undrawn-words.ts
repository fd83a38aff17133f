import type { Place } from './facts'

/**
 * Things that prompts name and that the renderer cannot draw, by the place that they hint at. The
 * picture shows nothing in their stead, and the caption names them. Two or three words joined by
 * hyphens are looked up as a phrase.
 */
export const UNDRAWN_WORDS: Readonly<Record<Place | 'anywhere', string>> = {
  hills: 'sheep lamb',
  mountains:
    'dragon volcano lava yeti climber mountaineer skier snowboarder goat mountain-goat llama alpaca yak condor avalanche cable-car',
  lake: 'waterfall swan duck duckling goose geese frog toad crocodile alligator hippo hippopotamus flamingo heron otter beaver kayak canoe raft bridge',
  sea: 'dolphin orca porpoise seal walrus penguin iceberg surfer surfboard jet-ski pier dock gondola sandcastle sand-castle seashell lifeguard pelican kraken sea-monster frisbee volleyball beach-ball',
  forest:
    'bear brown-bear squirrel hedgehog owl raccoon badger boar gorilla monkey ape chimpanzee orangutan panda red-panda koala sloth elf elves gnome troll treehouse tree-house bamboo',
  field:
    'lion lioness elephant giraffe zebra rhino rhinoceros cow calf bull buffalo bison pig piglet chicken rooster hen donkey kangaroo cheetah leopard hyena tractor scarecrow bee ladybug ladybird grasshopper ostrich swing picnic greenhouse bench rice-terrace rice-paddy vineyard barrel ladder',
  desert: 'camel scorpion pyramid sphinx tumbleweed lizard mummy',
  city: 'helicopter statue billboard godzilla king-kong',
  street:
    'bus truck lorry fire-truck van jeep ambulance motorcycle motorbike scooter tram subway skateboard skateboarder carriage rickshaw fountain police policeman wheelchair stroller escalator',
  room: 'piano pianist guitar guitarist violin violinist cello drum drummer trumpet saxophone cup mug teacup teapot coffee tea cake pizza burger hamburger sandwich bread soup sushi pasta noodle ramen wine beer bottle bowl vase chair bed bathtub sofa couch armchair fireplace television tv computer laptop phone smartphone clock mirror typewriter bookshelf toy doll teddy teddy-bear hamster guinea-pig barista bartender candle lamp chandelier chess blacksmith yarn onion garlic carrot potato knife spoon fork frying-pan oven stove fridge refrigerator newspaper magazine pencil notebook perfume lipstick wristwatch necklace earring handbag suitcase blender kettle keyboard microscope stethoscope headphones microphone popcorn juice milk butter salad steak croissant pancake staircase',
  space:
    'alien ufo flying-saucer satellite space-station black-hole meteor meteor-shower meteorite comet supernova',
  underwater:
    'shark octopus squid jellyfish jelly-fish turtle sea-turtle seahorse sea-horse stingray manta-ray crab lobster starfish diver scuba submarine mermaid shipwreck seaweed',
  anywhere:
    'wolf wolves wolf-pack coyote tiger panther jaguar puma lynx snow-leopard polar-bear rabbit bunny hare mouse mice rat bat spider ant insect snail caterpillar dragonfly moose antelope gazelle snake turkey peacock hummingbird tortoise crane dinosaur t-rex tyrannosaurus mammoth unicorn pegasus phoenix griffin monster creature beast giant-robot mecha animal ' +
    'knight samurai ninja wizard witch sorcerer king queen prince princess pirate viking warrior soldier gladiator archer cowboy clown ghost zombie vampire skeleton angel demon devil goblin ogre superhero batman superman spiderman santa santa-claus snowman toddler infant newborn babies ballerina gymnast boxer bride groom firefighter surgeon statue-of-liberty ' +
    'eiffel-tower clock-tower bell-tower watchtower temple church cathedral mosque pagoda shrine igloo ruin station train-station airport factory stadium bridge turbine wind-turbine monument carousel ferris-wheel roller-coaster rollercoaster circus airship zeppelin parachute paraglider hang-glider tank cannon excavator bulldozer sword shield crown skull hourglass telescope treasure diamond jewel throne football basketball soccer-ball snowboard sled sleigh swing-set fairy-light ' +
    'apple banana strawberry pumpkin watermelon lemon tomato egg cheese chocolate ice-cream hot-dog candy donut doughnut cupcake cookie oranges pineapple fruit vegetable gun rifle sari sunglasses helmet wedding-dress backpack sneaker tennis racket baseball golfer tornado hurricane door stairs shovel broom rope bucket hammer',
}

/** The same things in other languages, without accents. */
export const UNDRAWN_WORLD_WORDS =
  'leon lowe лев льва aslan اسد الاسد tigre тигр kaplan نمر elefante elefant слон فيل ' +
  'oso медведь ayi دب lobo loup волк ذئب drache дракон ejderha تنين conejo lapin hase кролик заяц tavsan ارنب ' +
  'caballero ritter chevalier рыцарь sovalye فارس puente brucke pont мост kopru جسر camello kamel chameau верблюд deve جمل الجمل ' +
  'oveja schaf mouton овца koyun خروف vaca kuh vache корова inek بقرة pinguino pinguin pingouin пингвин penguen بطريق ' +
  'guitarra gitarre гитара gitar torre turm башня kule برج iglesia kirche eglise церковь kilise كنيسة camion lastwagen грузовик ' +
  'cascada wasserfall cascade водопад selale شلال affe обезьяна maymun قرد'
