import { beforeEach, describe, expect, it } from 'vitest'

import type { LogEntry } from '../../src-shared/domain/log-entry'
import type { Bridge } from '../../src-shared/ipc/contract'
import { setLine } from '../ipc/call'
import { logStore, MOST_LINES } from './log-store'

const ID = 'server'
const line = (seq: number): LogEntry => ({
  seq,
  at: seq,
  source: 'stderr',
  level: 'info',
  text: String(seq),
})
const lines = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index))

/** Main's ring with its reader; `hold` makes a reader wait until `release`. */
class Ring {
  entries: LogEntry[] = []
  reads: number[] = []
  fails = false
  #gate: Promise<void> = Promise.resolve()
  release: () => void = () => undefined

  hold(): void {
    this.#gate = new Promise((open) => (this.release = open))
  }
  bridge(): Bridge {
    const requests = {
      'log.read': async ({ afterSeq = -1 }: { afterSeq?: number }) => {
        this.reads.push(afterSeq)
        const entries = this.entries.filter(({ seq }) => seq > afterSeq)
        const droppedBefore = this.entries[0]?.seq ?? 0
        await this.#gate
        if (this.fails) return { ok: false, error: { code: 'NOT_FOUND', message: 'Gone.' } }
        return { ok: true, value: { entries, droppedBefore } }
      },
      'log.clear': () => {
        this.entries = []
        return Promise.resolve({ ok: true, value: undefined })
      },
    }
    return { requests } as unknown as Bridge
  }
}

const tick = (): Promise<void> => new Promise(setImmediate)
const seqs = (): number[] | undefined => logStore.getState().logs[ID]?.entries.map(({ seq }) => seq)
const { open, append, clear, resync, forget } = logStore.getState()

describe('D4 logs without gaps', () => {
  let ring: Ring
  beforeEach(() => {
    logStore.setState({ logs: {} })
    ring = new Ring()
    setLine(ring.bridge())
  })

  it('holds nothing of a log that nobody opened', () => {
    append(ID, lines(0, 3))
    expect(logStore.getState().logs).toEqual({})
  })

  it('reads what main holds when it is opened, then appends', async () => {
    ring.entries = lines(0, 2)
    open(ID)
    await tick()
    append(ID, lines(3, 4))
    expect(seqs()).toEqual([0, 1, 2, 3, 4])
    expect(ring.reads).toEqual([-1])
  })

  it('joins lines that came while it was reading, each once', async () => {
    ring.entries = lines(0, 3)
    ring.hold()
    open(ID)
    append(ID, lines(2, 5))
    ring.release()
    await tick()
    expect(seqs()).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('reads the lines that are missing before a batch', async () => {
    ring.entries = lines(0, 1)
    open(ID)
    await tick()
    ring.entries = lines(0, 9)
    append(ID, lines(6, 9))
    await tick()
    expect(seqs()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(ring.reads).toEqual([-1, 1])
  })

  it('reads again when what came meanwhile leaves another gap', async () => {
    ring.entries = lines(0, 1)
    ring.hold()
    open(ID)
    append(ID, lines(5, 6))
    ring.entries = lines(0, 6)
    ring.release()
    await tick()
    expect(seqs()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('goes on after lines that main holds no more', async () => {
    ring.entries = lines(0, 1)
    open(ID)
    await tick()
    ring.entries = lines(100, 105)
    append(ID, lines(104, 105))
    await tick()
    expect(seqs()).toEqual([0, 1, 100, 101, 102, 103, 104, 105])
  })

  it('keeps the newest 20,000 lines', async () => {
    open(ID)
    await tick()
    append(ID, lines(0, MOST_LINES + 9))
    expect(seqs()).toHaveLength(MOST_LINES)
    expect(seqs()?.[0]).toBe(10)
  })

  it('stays empty after clearing until a new line comes', async () => {
    ring.entries = lines(0, 3)
    open(ID)
    await tick()
    await clear(ID)
    expect(seqs()).toEqual([])
    append(ID, lines(4, 4))
    expect(seqs()).toEqual([4])
    expect(ring.reads).toEqual([-1])
  })

  it('starts anew after the line was lost, also when main counts from 0 again', async () => {
    ring.entries = lines(0, 50)
    open(ID)
    await tick()
    ring.entries = lines(0, 2)
    resync()
    await tick()
    expect(seqs()).toEqual([0, 1, 2])
  })

  it('asks main for no more than 5,000 lines a second, however it floods', async () => {
    ring.entries = lines(0, 4_999)
    open(ID)
    for (let top = 10_000; top <= 60_000; top += 5_000) {
      ring.entries = lines(top - 4_999, top)
      append(ID, lines(top - 199, top))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(ring.reads.length).toBeLessThanOrEqual(2)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(seqs()?.at(-1)).toBe(60_000)
    expect(ring.reads.length).toBeLessThanOrEqual(3)
  })

  it('lets a newer reading take over from one that is under way', async () => {
    ring.entries = lines(0, 50)
    ring.hold()
    open(ID)
    const late = ring.release
    ring.hold()
    ring.entries = lines(0, 2)
    resync()
    ring.release()
    await tick()
    late()
    await tick()
    append(ID, lines(3, 3))
    expect(seqs()).toEqual([0, 1, 2, 3])
    expect(logStore.getState().logs[ID]?.reading).toBe(false)
  })

  it('does not come back when its server is removed while it is read', async () => {
    ring.hold()
    open(ID)
    forget(ID)
    ring.release()
    await tick()
    expect(logStore.getState().logs).toEqual({})
  })

  it('says why a log could not be read, and reads again when opened again', async () => {
    ring.fails = true
    open(ID)
    await tick()
    expect(logStore.getState().logs[ID]?.problem?.code).toBe('NOT_FOUND')
    ring.fails = false
    ring.entries = lines(0, 0)
    open(ID)
    await tick()
    expect(seqs()).toEqual([0])
    forget(ID)
    expect(logStore.getState().logs).toEqual({})
  })
})
