import { describe, expect, it } from 'vitest'

import { ActivityQuery, type Call } from '../../../src-shared/domain/agents/activity'
import { CallList, MOST_SHOWN } from './found-calls'

const ALL = { text: '', outcomes: [] }

function call(callId: number): Call {
  return {
    callId,
    at: callId,
    agentId: 'a',
    agentName: 'A',
    method: 'tools/call',
    target: `t${callId}`,
    durationMs: 1,
    requestBytes: 1,
    resultBytes: 1,
    outcome: 'ok',
  }
}

/** A list over a main that keeps the calls 1 to `count`, and can be held up or fail. */
function open(count: number) {
  const main = {
    ...{ first: 1, newest: count, asked: 0, fails: false, gate: Promise.resolve() },
    /** Of the next questions, one each. */
    gates: [] as Promise<void>[],
  }
  const list = new CallList(
    async (asked) => {
      const query = ActivityQuery.parse(asked)
      main.asked += 1
      // What is kept is looked at when the question comes, as main does.
      const { newest } = main
      await (main.gates.shift() ?? main.gate)
      if (main.fails) throw new Error('The disk is gone.')
      const { before = Infinity, after = 0, limit } = query
      const fitting: Call[] = []
      for (let id = newest; id >= main.first; id -= 1)
        if (id > after && (query.text === '' || `t${id}`.includes(query.text)))
          fitting.push(call(id))
      const calls = fitting.filter(({ callId }) => callId < before).slice(0, limit)
      return { calls, total: fitting.length, newest }
    },
    (thrown) => ({ code: 'INTERNAL', message: (thrown as Error).message }),
  )
  const come = (many: number): Promise<void> => {
    main.newest += many
    return list.heard(main.newest, main.newest)
  }
  const ids = (): number[] => list.snapshot().calls.map(({ callId }) => callId)
  return { list, main, come, ids }
}

describe('D6 the calls that a window shows', () => {
  it('are read as they come into view, to the oldest', async () => {
    const { list, ids } = open(250)
    await list.show(ALL)
    expect(list.snapshot()).toMatchObject({ total: 250, isEnd: false })
    await Promise.all([list.more(), list.more()])
    expect(ids()).toHaveLength(200)
    await list.more()
    await list.more()
    expect(ids()).toEqual(Array.from({ length: 250 }, (_, index) => 250 - index))
    expect(list.snapshot().isEnd).toBe(true)
  })

  it('are told right in number when older ones were forgotten meanwhile', async () => {
    const { list, main } = open(150)
    await list.show(ALL)
    main.first = 41
    await list.more()
    expect(list.snapshot()).toMatchObject({ total: 110, isEnd: true })
  })

  it('grow at their top while nobody reads', async () => {
    const { list, come, ids } = open(3)
    await list.show(ALL)
    await come(2)
    expect(ids()).toEqual([5, 4, 3, 2, 1])
    expect(list.snapshot()).toMatchObject({ total: 5, fresh: 0 })
  })

  it('stay as they are while somebody reads; what came is counted, and shown when it is asked for', async () => {
    const { list, main, come, ids } = open(3)
    await list.show(ALL)
    await list.follow(false)
    await come(2)
    await come(3)
    expect(ids()).toEqual([3, 2, 1])
    expect(list.snapshot()).toMatchObject({ total: 3, fresh: 5 })
    const { asked } = main
    await list.heard(main.newest, main.newest)
    expect(main.asked).toBe(asked)
    await list.follow(true)
    expect(ids()).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(list.snapshot()).toMatchObject({ total: 8, fresh: 0 })
  })

  it('count only what fits the question', async () => {
    const { list, come, ids } = open(9)
    await list.show({ ...ALL, text: 't1' })
    await list.follow(false)
    await come(3)
    expect(list.snapshot()).toMatchObject({ total: 1, fresh: 3 })
    await list.follow(true)
    expect(ids()).toEqual([12, 11, 10, 1])
  })

  it('begin anew where more came than one answer holds', async () => {
    const { list, come, ids } = open(3)
    await list.show(ALL)
    await come(1_000)
    expect(ids()[0]).toBe(1_003)
    expect(ids()).toHaveLength(100)
    expect(list.snapshot()).toMatchObject({ total: 1_003, edition: 2 })
  })

  it('ask once more at the end when more is told during an answer, not once for each', async () => {
    const { list, main, come, ids } = open(3)
    await list.show(ALL)
    const gate = Promise.withResolvers<undefined>()
    main.gate = gate.promise.then(() => undefined)
    const { asked } = main
    const looks = [come(1), come(1), come(1), come(1)]
    gate.resolve(undefined)
    await Promise.all(looks)
    await expect.poll(ids).toHaveLength(7)
    expect(main.asked - asked).toBeLessThanOrEqual(2)
  })

  it('are gone when all was cleared, and begin anew when the file did', async () => {
    const { list, main, ids } = open(5)
    await list.show(ALL)
    main.first = 6
    await list.heard(5, 0)
    expect(list.snapshot()).toMatchObject({ calls: [], total: 0 })
    Object.assign(main, { first: 1, newest: 2 })
    await list.heard(2, 2)
    expect(ids()).toEqual([2, 1])
  })

  it('are those of the last question, whatever comes late', async () => {
    const { list, main, ids } = open(30)
    const gate = Promise.withResolvers<undefined>()
    main.gate = gate.promise.then(() => undefined)
    const first = list.show({ ...ALL, text: 't1' })
    const second = list.show({ ...ALL, text: 't30' })
    gate.resolve(undefined)
    await Promise.all([first, second])
    expect(ids()).toEqual([30])
  })

  it('are each there once when a list is read while more come', async () => {
    const { list, main, ids } = open(150)
    await list.show(ALL)
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<undefined>())
    main.gates = gates.map(({ promise }) => promise.then(() => undefined))
    // The list again, its older part and its newer one, all at once.
    main.newest += 3
    const asked = [list.show(ALL), list.more(), list.heard(main.newest, main.newest)]
    for (const at of [0, 2, 1]) {
      gates[at]?.resolve(undefined)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(asked)
    await list.more()
    expect(ids()).toEqual(Array.from({ length: 153 }, (_, index) => 153 - index))
    expect(list.snapshot().total).toBe(153)
  })

  it('stay when they cannot be read again, and the reason is told until they can', async () => {
    const { list, main, come, ids } = open(3)
    await list.show(ALL)
    main.fails = true
    await come(1)
    expect(ids()).toEqual([3, 2, 1])
    expect(list.snapshot().problem?.message).toBe('The disk is gone.')
    main.fails = false
    await come(1)
    expect(ids()).toEqual([5, 4, 3, 2, 1])
    expect(list.snapshot().problem).toBeUndefined()
  })

  it('are bounded in number, from above and from below', async () => {
    const { list, come, ids } = open(MOST_SHOWN + 500)
    await list.show(ALL)
    while (!list.snapshot().isEnd) await list.more()
    expect(ids()).toHaveLength(MOST_SHOWN)
    await come(3)
    expect(ids()).toHaveLength(MOST_SHOWN)
    expect(ids()[0]).toBe(MOST_SHOWN + 503)
    expect(list.snapshot().total).toBe(MOST_SHOWN + 503)
  })
})
