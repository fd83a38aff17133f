import type { ElementKind } from '../facts'
import { boat, fish, paperBoat, ship, whale } from './afloat'
import type { Art } from './art'
import { astronaut } from './astronaut'
import { cat, deer, dog, horse, person, robot, umbrella } from './beings'
import { castle, fire, house, lighthouse, tent, windmill } from './built'
import { cactus, flower, mushroom, palm, pine, tree } from './plants'
import { fox } from './runners'
import { bicycle, car, plane, rocket, train } from './vehicles'
import { balloon, bird, butterfly, kite, lantern, planet } from './winged'

/** Elements that fill the sky. All others have a place on the ground. */
export const WONDERS = ['aurora', 'rainbow', 'fireworks'] as const
export type Wonder = (typeof WONDERS)[number]

/** Returns whether an element fills the sky. */
export function isWonder(kind: ElementKind): kind is Wonder {
  return WONDERS.some((wonder) => wonder === kind)
}

export const GALLERY: Readonly<Record<Exclude<ElementKind, Wonder>, Art>> = {
  boat,
  paperBoat,
  ship,
  whale,
  fish,
  car,
  train,
  bicycle,
  tree,
  pine,
  palm,
  cactus,
  flower,
  mushroom,
  person,
  umbrella,
  astronaut,
  robot,
  cat,
  dog,
  fox,
  horse,
  deer,
  house,
  castle,
  lighthouse,
  windmill,
  tent,
  fire,
  bird,
  butterfly,
  balloon,
  kite,
  lantern,
  plane,
  rocket,
  planet,
}
