import { bare } from './json'

/**
 * What a status means. `stopped`: the order was ended from outside (cancelled, expired), so a new
 * one is not expected to go better by itself.
 */
export type Meaning = 'queued' | 'running' | 'done' | 'failed' | 'stopped'

/** The words of each meaning, without case, spaces and signs: `IN_PROGRESS` and `in-progress` alike. */
const WORDS: Readonly<Record<Meaning, string>> = {
  queued:
    'queued queue queueing queuing inqueue enqueued pending submitted submitting accepted created ' +
    'new scheduled waiting wait notstart notstarted preparing prepared staged throttled received ' +
    'initialized initializing init paused delayed 排队中 等待中',
  running:
    'inprogress processing progressing process running run started starting start working active ' +
    'generating generate rendering dreaming executing computing uploading downloading encoding ' +
    'postprocessing finalizing saving ongoing doing busy pendingreview cancelling canceling 生成中 处理中',
  done:
    'completed complete completion done finished finish success successful successfully succeeded ' +
    'succeed ready ok available generated delivered exported completedsuccessfully 成功 完成 已完成',
  failed:
    'failed fail failure failing error errored timeout timedout rejected refused declined blocked ' +
    'moderated flagged filtered nsfw aborted abort terminated crashed killed dead invalid ' +
    'unsuccessful incomplete exception internalerror budgetexceeded 失败 错误',
  stopped:
    'cancelled canceled cancel expired deleted removed stopped revoked withdrawn 已取消 已过期',
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  (['queued', 'running', 'done', 'failed', 'stopped'] as const).flatMap((meaning) =>
    WORDS[meaning].split(' ').map((word) => [word, meaning] as const),
  ),
)

/** What servers put before the word: `TASK_STATUS_SUCCEED`, `JOB_STATE_FAILED`, `videoStatusDone`. */
const PREFIX = /^(task|job|video|generation|operation|prediction|run)?(status|state)/

/** Returns the meaning of a server's status word, or undefined if the word is unknown. */
export function meaningOf(word: string): Meaning | undefined {
  const plain = bare(word)
  return MEANINGS.get(plain) ?? MEANINGS.get(plain.replace(PREFIX, ''))
}
