import { describe, expect, it } from 'vitest'

import { SyncRuns } from './sync-scheduler'

/** Runs that end on request or by cancel; `begun` lists their sources. */
function open() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const runs = new SyncRuns((ids, signal) => {
    begun.push([...ids].join())
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve())
      ends.push(resolve)
    })
  })
  return { runs, begun, end: () => ends.at(-1)?.() }
}

describe('D2: sync runs', () => {
  it('run one at a time: a call joins the running sync of its sources', async () => {
    const { runs, begun, end } = open()
    const both = [runs.begin(['a', 'b']), runs.begin(['b'])]
    expect(runs.isRunning).toBe(true)
    end()
    await Promise.all(both)
    expect(begun).toEqual(['a,b'])
    expect(runs.isRunning).toBe(false)
  })

  it('and follows one of other sources', async () => {
    const { runs, begun, end } = open()
    const both = [runs.begin(['a']), runs.begin(['b'])]
    expect(begun).toEqual(['a'])
    end()
    await expect.poll(() => begun).toEqual(['a', 'b'])
    end()
    await Promise.all(both)
    expect(runs.isRunning).toBe(false)
  })

  it('follow one another if sources changed, all in one', async () => {
    const { runs, begun, end } = open()
    const all = [runs.begin(['a']), runs.restart(['a']), runs.restart(['b'])]
    end()
    await expect.poll(() => begun).toEqual(['a', 'a,b'])
    end()
    await Promise.all(all)
    expect(begun).toHaveLength(2)
  })

  it("don't begin without sources", async () => {
    const { runs, begun } = open()
    await runs.restart([])
    expect(begun).toEqual([])
  })

  it('continue what was interrupted, but nothing that a user canceled', async () => {
    const { runs, begun, end } = open()
    const run = runs.begin(['a', 'b'])
    runs.interrupt()
    const again = runs.restart(['c'])
    await run
    await expect.poll(() => begun).toEqual(['a,b', 'a,b,c'])
    runs.cancel()
    runs.interrupt()
    await again
    await runs.restart([])
    expect(begun).toHaveLength(2)
    void runs.begin(['d'])
    expect(begun.at(-1)).toBe('d')
    end()
  })

  it('follow a failed run, whose error goes to its caller', async () => {
    let isBroken = true
    const runs = new SyncRuns(() =>
      isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(),
    )
    const first = runs.begin(['a'])
    const second = runs.restart(['a'])
    isBroken = false
    await expect(first).rejects.toThrow('broken')
    await expect(second).resolves.toBeUndefined()
  })
})
