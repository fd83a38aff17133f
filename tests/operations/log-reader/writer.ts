import { createLog } from '../../../app/platform/log.server'

// A process like the worker: it logs all the time, and ends when its supervisor is gone.

const log = createLog('info', 'writer')
process.on('disconnect', () => {
  log.fatal('the supervisor is gone')
  process.exit(1)
})
setInterval(() => {
  process.send?.({ heapMb: process.memoryUsage().heapUsed / 1e6 })
  for (let line = 0; line < 50; line++) log.info('x'.repeat(2_000))
}, 5)
