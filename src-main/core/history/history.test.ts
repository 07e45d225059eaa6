import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { HistoryFact } from '../../../src-shared/domain/running/history'
import { History, HISTORY_BOUNDS } from './history'

const DAY_MS = 86_400_000
const FACT: HistoryFact = { kind: 'stopped', isByPerson: true }
const failed = (message: string): HistoryFact => ({
  ...{ kind: 'failed', code: 'SERVER_EXITED', wasRunning: true },
  message,
})

function open(folder: string, clock = { now: 1_000 * DAY_MS }) {
  const troubles: (string | undefined)[] = []
  const history = new History(
    folder,
    () => clock.now,
    (message) => void troubles.push(message),
  )
  return { history, clock, troubles }
}

describe("B11: a server's history", () => {
  it('is available in the next run, newest first, page by page', async () => {
    const folder = tempFolder('history')
    const first = open(folder)
    first.history.add('a', [{ kind: 'installed', version: '1.0.0' }, { kind: 'approved' }])
    first.history.add('b', [FACT])
    await first.history.close()
    const { history } = open(folder)
    history.add('a', [FACT])
    const page = await history.page('a', { limit: 2 })
    expect(page.total).toBe(3)
    expect(page.events.map(({ fact }) => fact.kind)).toEqual(['stopped', 'approved'])
    const rest = await history.page('a', { before: page.events.at(-1)?.eventId, limit: 2 })
    expect(rest.events.map(({ fact }) => fact.kind)).toEqual(['installed'])
  })

  it('stays within its limits, in memory and on disk', async () => {
    const folder = tempFolder('history')
    const { history, clock } = open(folder)
    for (let index = 0; index < HISTORY_BOUNDS.events + 150; index += 1) history.add('a', [FACT])
    const { events, total } = await history.page('a', { limit: 1 })
    expect(total).toBe(HISTORY_BOUNDS.events)
    expect(events[0]?.eventId).toBe(HISTORY_BOUNDS.events + 150)
    await history.close()
    const lines = readFileSync(join(folder, 'a.jsonl'), 'utf8').split('\n').filter(Boolean)
    expect(lines.length).toBeLessThanOrEqual(HISTORY_BOUNDS.events + 100)
    clock.now += (HISTORY_BOUNDS.days + 1) * DAY_MS
    expect((await history.page('a', { limit: 1 })).total).toBe(0)
  })

  it('ignores torn lines, and is deleted with its server', async () => {
    const folder = tempFolder('history')
    const first = open(folder)
    first.history.add('a', [FACT])
    await first.history.close()
    appendFileSync(join(folder, 'a.jsonl'), '{"eventId":2,"at":')
    const { history } = open(folder)
    history.add('a', [{ kind: 'enabled' }])
    await history.close()
    const again = open(folder).history
    const kinds = (await again.page('a', { limit: 9 })).events.map(({ fact }) => fact.kind)
    expect(kinds).toEqual(['enabled', 'stopped'])
    await again.remove('a')
    expect(existsSync(join(folder, 'a.jsonl'))).toBe(false)
  })

  it('lists the newest failures of all servers', async () => {
    const { history, clock } = open(tempFolder('history'))
    history.add('a', [failed('old')])
    await history.page('a', { limit: 1 })
    clock.now += 2 * DAY_MS
    history.add('a', [FACT, failed('one')])
    await history.page('a', { limit: 1 })
    clock.now += 1
    history.add('b', [failed('two')])
    const since = clock.now - DAY_MS
    const found = await history.failures(['a', 'b', 'never'], { since, limit: 5 })
    expect(found.map(({ installationId, fact }) => [installationId, fact])).toEqual([
      ['b', failed('two')],
      ['a', failed('one')],
    ])
  })

  it("continues in memory if the disk can't be written, and says so once", async () => {
    const folder = join(tempFolder('history'), 'file')
    writeFileSync(folder, '')
    const { history, troubles } = open(folder)
    history.add('a', [FACT])
    history.add('a', [FACT])
    expect((await history.page('a', { limit: 9 })).total).toBe(2)
    await history.close()
    expect(troubles).toHaveLength(1)
  })
})
