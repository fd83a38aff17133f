// Loaded into a worker with --import: kills the process, like kill -9, when its SQL reaches a given
// moment. KILL_AT is a list of steps 'before:REGEX' or 'after:REGEX' joined by ' > '. The last step
// kills, after the earlier ones have been seen in order. KILL_WITH=SIGSTOP freezes the process
// instead, after printing a line. The product contains none of this.
import fs from 'node:fs'
import pg from 'pg'

const STDERR = 2
const signal = process.env.KILL_WITH ?? 'SIGKILL'

const steps = (process.env.KILL_AT ?? '').split(' > ').map((step) => {
  const at = step.indexOf(':')
  return { when: step.slice(0, at), pattern: new RegExp(step.slice(at + 1), 's') }
})
let reached = 0

/** @param {string} when @param {string} statement */
function pass(when, statement) {
  const step = steps[reached]
  if (!step || step.when !== when || !step.pattern.test(statement)) return
  reached++
  if (reached < steps.length) return
  if (signal === 'SIGSTOP') fs.writeSync(STDERR, 'frozen at the named moment\n')
  process.kill(process.pid, signal)
}

/** @type {Function} */
const query = pg.Client.prototype.query
Object.assign(pg.Client.prototype, {
  /** @param {any[]} args the driver's signatures: text or object, with or without a callback */
  query(...args) {
    const [config, values] = args
    const text = typeof config === 'string' ? config : (config?.text ?? '')
    const given = Array.isArray(values) ? values : config?.values
    const statement = `${text} ${JSON.stringify(given ?? [])}`
    pass('before', statement)
    const last = args.at(-1)
    if (typeof last === 'function') {
      /** @param {Error} error @param {unknown} result */
      args[args.length - 1] = (error, result) => {
        if (!error) pass('after', statement)
        last(error, result)
      }
      return query.apply(this, args)
    }
    const result = query.apply(this, args)
    if (!result?.then) return result
    return result.then((/** @type {unknown} */ rows) => {
      pass('after', statement)
      return rows
    })
  },
})
