import type { Verdict } from './verdict'

/** Returns the rules and what violated them, one line per case. */
export function brokenIn(verdict: Verdict): { what: string; cases: string[] }[] {
  const rules = [
    { what: 'lost', cases: verdict.lost },
    { what: 'stuck', cases: verdict.stuck },
    { what: 'wrong files', cases: verdict.wrongFiles },
    { what: 'wrong negative prompts', cases: verdict.wrongNegativePrompts },
    { what: 'ordered twice', cases: verdict.unexcusedTwice },
    { what: 'charged wrongly', cases: verdict.chargedWrongly },
    { what: 'early rounds', cases: verdict.earlyRounds },
    { what: 'exits not asked for', cases: verdict.exits },
    { what: 'waited for a key', cases: verdict.waitedForKeys },
    { what: 'waited for a stand-in', cases: verdict.waitedForStandIn },
    { what: 'paid for nothing', cases: verdict.paidForNothing },
    { what: 'too many requests for an order', cases: verdict.tooManyRequests },
  ]
  return rules.filter(({ cases }) => cases.length > 0)
}

const requestsIn = ({ requestsPerOrder: { average, calm } }: Verdict): string =>
  `${average.toFixed(1)} (undisturbed ${calm.toFixed(1)})`

/** Returns the result of the run as one table. */
export function tableOf(verdict: Verdict): string {
  const failed = [...verdict.failed].map(([cause, n]) => `${n} ${cause}`).join(', ')
  const failures = [...verdict.failed.values()].reduce((sum, n) => sum + n, 0)
  const rows: [string, string | number][] = [
    ['accepted', verdict.accepted],
    ['delivered', verdict.delivered],
    ['failed with cause', failed === '' ? 0 : `${failures} (${failed})`],
    ['ordered', verdict.ordered],
    [
      'ordered twice',
      `${verdict.orderedTwice.length} (${verdict.orphansOnRecord} with an orphan on record)`,
    ],
    ['lost', verdict.lost.length],
    ['stuck', verdict.stuck.length],
    ['wrong files', verdict.wrongFiles.length],
    ['wrong negative prompts', verdict.wrongNegativePrompts.length],
    ['charged', verdict.charged],
    ['charged wrongly', verdict.chargedWrongly.length],
    ['early rounds', verdict.earlyRounds.length],
    ['exits not asked for', verdict.exits.length],
    ['waited for a key', verdict.waitedForKeys.length],
    ['made by a stand-in', verdict.stoodIn],
    ['waited for a stand-in', verdict.waitedForStandIn.length],
    ['paid for nothing', verdict.paidForNothing.length],
    ['downloads a clip', verdict.downloadsPerClip.toFixed(2)],
    ['requests an order', requestsIn(verdict)],
  ]
  const widest = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(widest)}  ${value}`).join('\n')
}
