import { figure } from '~/lib/figures'
import type { SystemFacts } from './types'
import { GIB, gigabytes, ok, spell, warn, type Verdict } from './verdicts'

// Findings on the backups and on their copies in a bucket.

/** A day, and two hours in which the next backup may be made. */
const OLD_SECONDS = 26 * 3600
const MIB = 1024 ** 2

/** Formats the size of a file, which may be small. */
function sizeOf(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / 1024)} KB`
  return bytes < GIB ? `${figure((bytes / MIB).toFixed(1))} MB` : gigabytes(bytes)
}

type Facts = Pick<SystemFacts, 'backups'>

/** Returns null where no folder of backups is set. */
export function onBackups({ backups }: Facts): Verdict | null {
  if (backups === null) return null
  const { newest, problem } = backups
  const made = newest && `${spell(newest.ageSeconds)} ago, ${sizeOf(newest.bytes)}`
  const last = made ? `The newest was finished ${made}.` : 'There is none in BACKUP_DIR.'
  const isOld = newest !== null && newest.ageSeconds > OLD_SECONDS
  if (newest && !isOld && problem === null) return ok(last)
  const trouble = problem === null ? '' : ` The last run had a problem: ${problem}`
  return warn(
    last + trouble,
    'Check that the disk of BACKUP_DIR is mounted, writable and not full, and that npm start or the timer runs. Then make one with npm run backup -- --into FOLDER.',
  )
}

/** Returns null where no bucket is set, or no folder whose backups are sent there. */
export function onCopy({ backups }: Facts): Verdict | null {
  if (!backups?.copy) return null
  const { newest, copy } = backups
  const last =
    copy.ageSeconds === null
      ? 'None has been sent to the bucket yet.'
      : `The last one was sent to the bucket ${spell(copy.ageSeconds)} ago.`
  const next =
    'The backup in BACKUP_DIR is not affected. Check the bucket, its address and its key (BACKUP_S3_…). The next backup sends its copy; npm run backup -- --into FOLDER makes one now.'
  if (copy.problem !== null) return warn(`${last} The last try failed: ${copy.problem}`, next)
  // An old backup is a finding of its own.
  const isBehind = newest !== null && newest.ageSeconds <= OLD_SECONDS
  if (copy.ageSeconds === null || (isBehind && copy.ageSeconds > OLD_SECONDS))
    return warn(last, next)
  return ok(last)
}
