import type { Profile } from './profile'
import { generations } from './profiles/generations'

export const PROFILE_NAMES = ['generations'] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]

/** The services that the adapter speaks with, by the name in TASKS_PROFILE. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = { generations }
