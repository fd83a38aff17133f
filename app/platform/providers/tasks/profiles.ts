import type { Profile } from './profile'
import { ark } from './profiles/ark'
import { fal } from './profiles/fal'
import { generations } from './profiles/generations'
import { generationsV2 } from './profiles/generations-v2'
import { kling } from './profiles/kling'
import { minimax } from './profiles/minimax'
import { modelStudio } from './profiles/model-studio'
import { replicate } from './profiles/replicate'

export const PROFILE_NAMES = [
  'generations',
  'generations-v2',
  'fal',
  'replicate',
  'kling',
  'ark',
  'minimax',
  'model-studio',
] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]

/** The services that the adapter speaks with, by the name in TASKS_PROFILE. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  generations,
  'generations-v2': generationsV2,
  fal,
  replicate,
  kling,
  ark,
  minimax,
  'model-studio': modelStudio,
}
