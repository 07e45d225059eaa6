import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { Bridge } from '../../../src-shared/ipc/contract'
import { setLine } from '../../ipc/call'
import { appStore } from '../../stores/app-store'
import {
  changeMessageLog,
  messageLogOf,
  messageStore,
  MOST_MESSAGES,
  selectMessage,
  setMessageView,
} from './message-store'
import { clearMessageLog, findText, readMessages } from './read-messages'

const ID = 'server'
const entry = (seq: number): MessageEntry => ({
  seq,
  session: 1,
  at: seq,
  direction: 'sent',
  kind: 'request',
  bytes: 10,
  hasText: true,
})
const entries = (from: number, to: number): MessageEntry[] =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index))

/** Main's ring; `hold` makes its answers wait until `release`. */
class Ring {
  entries: MessageEntry[] = []
  reads: number[] = []
  finds: string[] = []
  findsAfter: number[] = []
  fails = false
  #gate: Promise<void> = Promise.resolve()
  release: () => void = () => undefined

  hold(): void {
    this.#gate = new Promise((open) => (this.release = open))
  }
  async #answer(value: unknown): Promise<unknown> {
    await this.#gate
    if (this.fails) return { ok: false, error: { code: 'NOT_FOUND', message: 'Gone.' } }
    return { ok: true, value }
  }
  bridge(): Bridge {
    const requests = {
      'messages.read': ({ afterSeq, limit }: { afterSeq: number; limit: number }) => {
        this.reads.push(afterSeq)
        const later = this.entries.filter(({ seq }) => seq > afterSeq).slice(0, limit)
        return this.#answer({ entries: later, firstSeq: this.entries[0]?.seq ?? 0 })
      },
      'messages.find': ({ text, afterSeq }: { text: string; afterSeq: number }) => {
        this.finds.push(text)
        this.findsAfter.push(afterSeq)
        return this.#answer([text.length + afterSeq + 1])
      },
      'messages.clear': () => {
        this.entries = []
        return this.#answer(undefined)
      },
    }
    return { requests } as unknown as Bridge
  }
}

const seqs = (): number[] => messageLogOf(ID).entries.map(({ seq }) => seq)
const settled = (): Promise<void> => new Promise(setImmediate)

describe('D5 the messages that a window holds', () => {
  let ring: Ring
  beforeEach(() => {
    messageStore.setState({ servers: {} })
    ring = new Ring()
    setLine(ring.bridge())
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('are read in parts, and later only what is new', async () => {
    ring.entries = entries(0, 4_500)
    await readMessages(ID)
    expect(ring.reads).toEqual([-1, 1_999, 3_999])
    expect(seqs()).toHaveLength(4_501)
    const held = messageStore.getState()
    await readMessages(ID)
    expect(messageStore.getState()).toBe(held)
    ring.entries.push(entry(4_501))
    await readMessages(ID)
    expect(seqs().at(-1)).toBe(4_501)
    expect(ring.reads.at(-1)).toBe(4_500)
  })

  it('are no more than main holds: the oldest go with it', async () => {
    ring.entries = entries(0, MOST_MESSAGES - 1)
    await readMessages(ID)
    ring.entries = entries(100, MOST_MESSAGES + 99)
    await readMessages(ID)
    expect(seqs()).toHaveLength(MOST_MESSAGES)
    expect(seqs()[0]).toBe(100)
    ring.entries = entries(MOST_MESSAGES + 99, MOST_MESSAGES + 99)
    await readMessages(ID)
    expect(seqs()).toEqual([MOST_MESSAGES + 99])
  })

  it('are bounded also where main holds more', async () => {
    ring.entries = entries(0, MOST_MESSAGES + 9)
    await readMessages(ID)
    await readMessages(ID)
    expect(seqs()).toHaveLength(MOST_MESSAGES)
    expect(seqs()[0]).toBe(10)
  })

  it('are asked for once at a time, and not while that is paused', async () => {
    ring.hold()
    const looks = [readMessages(ID), readMessages(ID)]
    expect(ring.reads).toHaveLength(1)
    ring.release()
    await Promise.all(looks)
    changeMessageLog(ID, () => ({ isPaused: true }))
    await readMessages(ID)
    expect(ring.reads).toHaveLength(1)
  })

  it('stay when main does not answer, which is told until it does', async () => {
    ring.entries = entries(0, 1)
    await readMessages(ID)
    ring.fails = true
    await readMessages(ID)
    expect(messageLogOf(ID)).toMatchObject({ isRead: true, problem: { message: 'Gone.' } })
    expect(seqs()).toEqual([0, 1])
    ring.fails = false
    await readMessages(ID)
    expect(messageLogOf(ID).problem).toBeUndefined()
  })

  it('are looked through for the newest text only, and anew where others came', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    ring.entries = entries(0, 1)
    await readMessages(ID)
    ring.hold()
    setMessageView(ID, { text: 'a' })
    const looking = findText(ID)
    setMessageView(ID, { text: 'ab' })
    void findText(ID)
    setMessageView(ID, { text: 'abc' })
    ring.release()
    await looking
    expect(ring.finds).toEqual(['a', 'abc'])
    expect(messageLogOf(ID).found).toMatchObject({ text: 'abc', upTo: 1, seqs: new Set([3]) })
    ring.entries.push(entry(2))
    await readMessages(ID)
    await settled()
    expect(ring.finds).toHaveLength(2)
    vi.advanceTimersByTime(1_000)
    await findText(ID)
    // Only what came since was looked through.
    expect(ring.findsAfter).toEqual([-1, -1, 1])
    expect(messageLogOf(ID).found).toMatchObject({ upTo: 2, seqs: new Set([3, 5]) })
    vi.advanceTimersByTime(5_000)
    await findText(ID)
    expect(ring.finds).toHaveLength(3)
  })

  it('keep what was found before where the text cannot be looked for, and say so', async () => {
    setMessageView(ID, { text: 'a' })
    await findText(ID)
    ring.fails = true
    setMessageView(ID, { text: 'ab' })
    await findText(ID)
    expect(messageLogOf(ID).found).toMatchObject({
      seqs: new Set([1]),
      problem: { message: 'Gone.' },
    })
  })

  it('are cleared up to the newest that was there, and what comes later is read', async () => {
    ring.entries = entries(0, 3)
    selectMessage(ID, 2)
    await clearMessageLog(ID)
    expect(messageLogOf(ID)).toMatchObject({ entries: [], selected: undefined, lastSeq: 3 })
    ring.entries = entries(4, 5)
    await readMessages(ID)
    expect(seqs()).toEqual([4, 5])
  })
})

describe('D5 messages that are let go of', () => {
  beforeEach(() => {
    messageStore.setState({ servers: {} })
    appStore.setState({ connection: 'connected', app: null })
  })

  it('are those of a server that is removed', () => {
    changeMessageLog(ID, () => ({ isRead: true }))
    changeMessageLog('other', () => ({ isRead: true }))
    appStore.setState({ app: { servers: [{ installationId: 'other' }] } as never })
    expect(Object.keys(messageStore.getState().servers)).toEqual(['other'])
  })

  it('are all of them when main may be another one, and a late answer of the old one does not count', async () => {
    const ring = new Ring()
    ring.entries = entries(0, 3)
    setLine(ring.bridge())
    setMessageView(ID, { method: 'ping' })
    ring.hold()
    const looking = readMessages(ID)
    appStore.setState({ connection: 'lost' })
    appStore.setState({ connection: 'connected' })
    ring.release()
    await looking
    expect(messageLogOf(ID)).toMatchObject({ entries: [], isRead: false, view: { method: 'ping' } })
    await readMessages(ID)
    expect(seqs()).toEqual([0, 1, 2, 3])
  })
})
