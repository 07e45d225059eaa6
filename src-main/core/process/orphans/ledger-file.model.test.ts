import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { changeLine, documentLine, parseLedger } from './orphan-ledger'
import type { ChildRecord, RunRecord } from './reap-orphans'

const tokenOf = (run: number): string => run.toString(16).padStart(32, '0')
const runOf = (run: number, children: readonly ChildRecord[]): RunRecord => {
  return { run: tokenOf(run), bootId: 'boot', appPid: 7, children: [...children] }
}
const childOf = (child: number, pid: number): ChildRecord => {
  return { child: String(child), owner: 'one', command: 'c', processes: [{ pid, startTime: '1' }] }
}

type Step = { kind: 'noted' | 'over' | 'runOver'; run: number; child: number; pid: number }
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('noted', 'over', 'runOver'),
  run: fc.nat(3),
  child: fc.nat(3),
  pid: fc.integer({ min: 2, max: 99 }),
})

function lineOf({ kind, run, child, pid }: Step): string {
  if (kind === 'noted') return changeLine({ noted: runOf(run, [childOf(child, pid)]) })
  const over = { run: tokenOf(run) }
  return changeLine({ over: kind === 'over' ? { ...over, child: String(child) } : over })
}

/** What the steps leave, run by run: the pid of each child. */
function left(steps: readonly Step[]): Map<string, Map<string, number>> {
  const runs = new Map([[tokenOf(0), new Map<string, number>()]])
  for (const { kind, run, child, pid } of steps) {
    const known = runs.get(tokenOf(run))
    if (kind === 'runOver') runs.delete(tokenOf(run))
    else if (kind === 'over') known?.delete(String(child))
    else runs.set(tokenOf(run), new Map([...(known ?? []), [String(child), pid]]))
  }
  return runs
}

function read(text: string): Map<string, Map<string, number | undefined>> {
  return new Map(
    (parseLedger(text) ?? []).map(({ run, children }) => [
      run,
      new Map(children.map(({ child, processes }) => [child, processes[0]?.pid])),
    ]),
  )
}

describe('B8 the lines of the ledger', () => {
  it('tell what is left after any history, wherever the app was killed in it', () => {
    fc.assert(
      fc.property(fc.array(step), fc.nat(), (steps, cut) => {
        const lines = steps.map(lineOf)
        const whole = documentLine([runOf(0, [])]) + lines.join('')
        expect(read(whole)).toEqual(left(steps))
        const last = lines.at(-1)
        if (last === undefined) return
        const torn = whole.slice(0, whole.length - 1 - (cut % last.length))
        expect(read(torn)).toEqual(left(steps.slice(0, -1)))
      }),
    )
  })

  it('are those of a file without any change too', () => {
    expect(parseLedger(JSON.stringify({ version: 1, runs: [runOf(1, [childOf(1, 5)])] }))).toEqual([
      runOf(1, [childOf(1, 5)]),
    ])
  })

  it.each([
    ['a line that is torn in the middle', '{"noted":{"run\n'],
    ['a line of another kind', '{"gone":1}\n'],
    ['an empty line', '\n'],
  ])('are none with %s', (_what, line) => {
    const after = changeLine({ over: { run: tokenOf(1) } })
    expect(parseLedger(documentLine([]) + line + after)).toBeUndefined()
  })
})
