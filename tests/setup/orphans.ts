// A worker whose runner was killed fails to report this, and would fail to report that, for ever.
if (process.listenerCount('disconnect') === 0) process.once('disconnect', () => process.exit(1))
