import { QueryObserver, type UseQueryOptions } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { Bridge } from '../../../src-shared/ipc/contract'
import { setLine } from '../../ipc/call'
import { newQueries } from '../../ipc/queries'
import { clearMessageLog, MAX_MESSAGES, messagesQuery, textMatchQuery } from './use-messages'

const SOURCE = { installationId: 'server', main: {} }
const entry = (seq: number): MessageEntry => ({
  ...{ seq, session: 1, at: seq, direction: 'sent', kind: 'request' },
  ...{ bytes: 10, hasText: true },
})
const entries = (from: number, to: number): MessageEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index))

/** Fakes main's message buffer. */
class Ring {
  entries: MessageEntry[] = []
  readonly reads: number[] = []
  readonly finds: (readonly [string, number])[] = []
  fails = false
  /** Whether responses repeat messages that the window already has. */
  repeats = false
  /** Runs before a clear request is answered. */
  onClear = (): Promise<void> => Promise.resolve()

  #answer(value: unknown): Promise<unknown> {
    if (this.fails)
      return Promise.resolve({ ok: false, error: { code: 'NOT_FOUND', message: 'Gone.' } })
    return Promise.resolve({ ok: true, value })
  }
  bridge(): Bridge {
    const requests = {
      'messages.read': ({ afterSeq, limit }: { afterSeq: number; limit: number }) => {
        this.reads.push(afterSeq)
        const later = this.entries
          .filter(({ seq }) => this.repeats || seq > afterSeq)
          .slice(0, limit)
        return this.#answer({ entries: later, firstSeq: this.entries[0]?.seq ?? 0 })
      },
      'messages.find': ({ text, afterSeq }: { text: string; afterSeq: number }) => {
        this.finds.push([text, afterSeq])
        return this.#answer([text.length + afterSeq + 1])
      },
      'messages.clear': async () => {
        this.entries = []
        await this.onClear()
        return this.#answer(undefined)
      },
    }
    return { requests } as unknown as Bridge
  }
}

describe('D5: messages in a window', () => {
  let ring: Ring
  let queries: ReturnType<typeof newQueries>
  let stops: (() => void)[]
  beforeEach(() => {
    ring = new Ring()
    queries = newQueries()
    stops = []
    setLine(ring.bridge())
  })
  afterEach(() => {
    vi.useRealTimers()
    for (const stop of stops) stop()
    queries.clear()
  })

  /** Observes a query that refetches only on `look`. */
  function watch<T>(query: UseQueryOptions<T>) {
    const options = { ...query, refetchInterval: false, enabled: false } as UseQueryOptions<T>
    const observer = new QueryObserver(queries, options)
    stops.push(observer.subscribe(() => undefined))
    return {
      look: () => observer.refetch(),
      get now() {
        return observer.getCurrentResult()
      },
    }
  }
  const log = () => {
    const watched = watch(messagesQuery(SOURCE))
    const look = async (times = 1): Promise<void> => {
      for (let time = 0; time < times; time += 1) await watched.look()
    }
    const seqs = (): number[] => watched.now.data?.entries.map(({ seq }) => seq) ?? []
    return { watched, look, seqs }
  }

  it('load in parts, and later only new ones', async () => {
    ring.entries = entries(0, 4_500)
    const { watched, look, seqs } = log()
    await look(2)
    expect(watched.now.data?.isRead).toBe(false)
    await look()
    expect(ring.reads).toEqual([-1, 1_999, 3_999])
    expect(seqs()).toHaveLength(4_501)
    expect(watched.now.data?.isRead).toBe(true)
    const held = watched.now.data
    await look()
    expect(watched.now.data).toBe(held)
    ring.entries.push(entry(4_501))
    await look()
    expect(seqs().at(-1)).toBe(4_501)
    expect(ring.reads.at(-1)).toBe(4_500)
  })

  it('are unique, even if main repeats some', async () => {
    ring.entries = entries(0, 3)
    ring.repeats = true
    const { look, seqs } = log()
    await look(2)
    expect(seqs()).toEqual([0, 1, 2, 3])
  })

  it("are limited to main's: the oldest ones are dropped with main's", async () => {
    ring.entries = entries(0, MAX_MESSAGES + 9)
    const { look, seqs } = log()
    await look(11)
    expect(seqs()).toHaveLength(MAX_MESSAGES)
    expect(seqs()[0]).toBe(10)
    ring.entries = entries(100, MAX_MESSAGES + 99)
    await look()
    expect(seqs()[0]).toBe(100)
    ring.entries = entries(MAX_MESSAGES + 99, MAX_MESSAGES + 99)
    await look()
    expect(seqs()).toEqual([MAX_MESSAGES + 99])
  })

  it('stay if main fails, and report the error until main responds', async () => {
    ring.entries = entries(0, 1)
    const { watched, look, seqs } = log()
    await look()
    ring.fails = true
    await look()
    expect(watched.now.error?.message).toBe('Gone.')
    expect(seqs()).toEqual([0, 1])
    ring.fails = false
    await look()
    expect(watched.now.error).toBeNull()
  })

  it('reload for another main', async () => {
    ring.entries = entries(0, 3)
    await log().look()
    const other = watch(messagesQuery({ ...SOURCE, main: {} }))
    expect(other.now.data).toBeUndefined()
    await other.look()
    expect(ring.reads).toEqual([-1, -1])
  })

  it('are searched after the debounce time, then only the new ones', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    ring.entries = entries(0, 1)
    const { look } = log()
    await look()
    const found = watch(textMatchQuery(SOURCE, 'abc'))
    const looking = found.look()
    await vi.advanceTimersByTimeAsync(149)
    expect(ring.finds).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await looking
    expect(found.now.data).toEqual({ text: 'abc', upTo: 1, seqs: new Set([3]) })
    ring.entries.push(entry(2))
    await look()
    await found.look()
    expect(found.now.data).toMatchObject({ upTo: 2, seqs: new Set([3, 5]) })
    await found.look()
    expect(ring.finds).toEqual([
      ['abc', -1],
      ['abc', 1],
    ])
  })

  it('are cleared up to the newest, and later ones are loaded', async () => {
    ring.entries = entries(0, 3)
    const { look, seqs } = log()
    await look()
    await clearMessageLog(queries, SOURCE)
    expect(seqs()).toEqual([])
    ring.entries = entries(4, 5)
    await look()
    expect(seqs()).toEqual([4, 5])
    expect(ring.reads.at(-1)).toBe(3)
  })

  it('stay if they arrived during the clearing', async () => {
    ring.entries = entries(0, 3)
    const { look, seqs } = log()
    await look()
    ring.onClear = () => {
      ring.entries = entries(4, 4)
      return look()
    }
    await clearMessageLog(queries, SOURCE)
    expect(seqs()).toEqual([4])
  })
})
