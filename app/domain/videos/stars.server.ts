import sql from 'sql-template-tag'

/**
 * Condition for videos that a deletion of many, or their age, may remove: those that their owner has
 * not starred.
 */
export const NOT_STARRED = sql`not videos.starred`
