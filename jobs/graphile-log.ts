import { Logger, type LogFunctionFactory } from 'graphile-worker'
import type { Logger as Log } from 'pino'

/** How graphile-worker begins to say that it does not know which jobs it has been given. */
const NOT_FETCHED = 'Error occurred fetching jobs'

/**
 * graphile-worker's lines in our log; its own "info" is chatter about each job. `onNotFetched` hears
 * of a request for jobs that failed, which the library tells nobody else.
 */
export function graphileLogger(log: Log, onNotFetched: () => void): Logger {
  const levels: Record<string, (message: string) => void> = {
    error: (message) => log.error(message),
    warning: (message) => log.warn(message),
  }
  const factory: LogFunctionFactory = () => (level, message) => {
    if (message.startsWith(NOT_FETCHED)) onNotFetched()
    const write = levels[level]
    // Fewer connections than places is what we mean: most jobs wait for something else.
    if (write && !message.includes('maxPoolSize')) write(message)
    else log.debug(message)
  }
  return new Logger(factory)
}
