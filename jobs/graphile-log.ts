import { Logger, type LogFunctionFactory } from 'graphile-worker'
import type { Logger as Log } from 'pino'

/**
 * The start of graphile-worker's message when a request for jobs failed and jobs may be locked
 * unknown to it.
 */
const NOT_FETCHED = 'Error occurred fetching jobs'

/**
 * Returns a logger that writes graphile-worker's messages to our log. Its "info" level reports
 * every job, so it becomes debug. `onNotFetched` is called when a request for jobs failed, which
 * the library reports only in its log.
 */
export function graphileLogger(log: Log, onNotFetched: () => void): Logger {
  const levels: Record<string, (message: string) => void> = {
    error: (message) => log.error(message),
    warning: (message) => log.warn(message),
  }
  const factory: LogFunctionFactory = () => (level, message) => {
    if (message.startsWith(NOT_FETCHED)) onNotFetched()
    const write = levels[level]
    // Fewer connections than concurrent jobs are intended: most jobs wait for something else.
    if (write && !message.includes('maxPoolSize')) write(message)
    else log.debug(message)
  }
  return new Logger(factory)
}
