import sql from 'sql-template-tag'

/** The state of a video of a batch as a `Cell` (types.ts); that of a missing one after an outer join. */
export const CELL = sql`case videos.status when 'pending' then 'w' when 'generating' then 'm'
  when 'completed' then 'd'
  when 'error' then case videos.error_code when 'cancelled' then 'c' else 'f' end
  else '-' end`
