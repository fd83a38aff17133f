/** Limits of a user's collections. */
export const COLLECTION_LIMITS = {
  collections: 100,
  /** Clips of one collection, with those that are in the trash and may be restored. */
  clips: 1000,
  nameCharacters: 60,
} as const

/** What users may expect of a collection and it does not do. */
export const COLLECTIONS_KEEP_NOTHING =
  'A collection does not protect its clips: deleting many videos at once, or their age, can still remove them. Star a clip to keep it.'

/** Clips that a user has put together under a name. */
export type CollectionName = { id: string; name: string }

/** A collection in the list. */
export type CollectionSummary = CollectionName & {
  /** How many clips it has, without those in the trash. */
  clips: number
  /** The video of its first poster. */
  poster: string | null
  createdAt: string
}

/** What became of videos that were to be put into a collection. */
export type AddedClips = CollectionName & {
  added: number
  /** How many were in it before. */
  already: number
  /** How many were left out, because they have no clip yet. */
  unfinished: number
}
