import { Logger, type LogFunctionFactory } from 'graphile-worker'
import type { Logger as Log } from 'pino'

/** graphile-worker's lines in our log; its own "info" is chatter about each job. */
export function graphileLogger(log: Log): Logger {
  const levels: Record<string, (message: string) => void> = {
    error: (message) => log.error(message),
    warning: (message) => log.warn(message),
  }
  const factory: LogFunctionFactory = () => (level, message) => {
    const write = levels[level]
    // Fewer connections than places is what we mean: most jobs wait for something else.
    if (write && !message.includes('maxPoolSize')) write(message)
    else log.debug(message)
  }
  return new Logger(factory)
}
