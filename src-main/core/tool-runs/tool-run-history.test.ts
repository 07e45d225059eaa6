import { randomUUID } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import type { ToolRun, ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'
import { createRedactor, type Redactor } from '../masking/redact'
import { ToolRunHistory, type ToolRunHistoryOptions } from './tool-run-history'

const ONE = randomUUID()
const TWO = randomUUID()

const S3CRET = createRedactor(['s3cret'])

/** Opens a history with one finished run per text, with their ids, oldest first. */
function historyOf(
  texts: readonly string[],
  options: Partial<ToolRunHistoryOptions> = {},
): { runs: ToolRunHistory; ids: string[] } {
  const runs = new ToolRunHistory({ redactorOf: () => S3CRET, ...options })
  return { runs, ids: texts.map((text) => add(runs, { text }).toolRunId) }
}

function add(
  runs: ToolRunHistory,
  {
    text,
    installationId = ONE,
    method = 'tools/call',
    params = { name: 'tool' },
    maskedBy = S3CRET,
    ...origin
  }: Partial<ToolRunRequest> &
    Pick<ToolRun, 'isOfView'> & { text: string; installationId?: string; maskedBy?: Redactor },
): ToolRun {
  const asked = { toolRunId: randomUUID(), installationId, request: { method, params } }
  runs.start(asked, origin)
  const reported = {
    kind: 'result',
    length: text.length,
    bytes: text.length,
    isError: false,
  } as const
  return runs.end(asked, 5, { outcome: reported, text }, maskedBy)
}

/** Returns the whole text of a run. */
function read(runs: ToolRunHistory, toolRunId = ''): Promise<string> {
  return runs.textOf(toolRunId).read()
}

const all = { installationId: ONE }

describe('The history of tool runs', () => {
  it('returns the newest first, by server, method and target', () => {
    const { runs, ids } = historyOf(['1'])
    const reading = { method: 'resources/read', params: { uri: 'memo://a' } } as const
    const second = add(runs, { text: '2', ...reading })
    const third = add(runs, { text: '3', params: { name: 'other' } })
    const fourth = add(runs, { text: '4', installationId: TWO })
    const idsOf = (asked: Parameters<ToolRunHistory['history']>[0]): string[] =>
      runs.history(asked).map(({ toolRunId }) => toolRunId)
    expect(idsOf(all)).toEqual([third.toolRunId, second.toolRunId, ids[0]])
    expect(idsOf({ installationId: TWO })).toEqual([fourth.toolRunId])
    expect(idsOf({ ...all, method: 'resources/read' })).toEqual([second.toolRunId])
    expect(idsOf({ ...all, method: 'tools/call', target: 'other' })).toEqual([third.toolRunId])
    expect(idsOf({ ...all, target: 'memo://a' })).toEqual([second.toolRunId])
  })

  it('includes running ones, without an outcome', () => {
    const { runs } = historyOf([])
    const request = { method: 'tools/call', params: { name: 'a' } } as const
    runs.start({ toolRunId: randomUUID(), installationId: ONE, request })
    const [toolRun] = runs.history(all)
    expect(toolRun).toMatchObject({ request, hasText: false })
    expect(toolRun?.outcome).toBeUndefined()
    runs.clear(ONE)
    expect(runs.history(all)).toHaveLength(1)
  })

  it('keeps the last runs, and every running one', async () => {
    const { runs } = historyOf([], { mostToolRuns: 3 })
    const asked = {
      ...all,
      toolRunId: randomUUID(),
      request: { method: 'prompts/get', params: {} },
    }
    runs.start({ ...asked, request: { method: 'prompts/get', params: {} } })
    const ids = Array.from({ length: 5 }, (_, at) => add(runs, { text: `${at}` }).toolRunId)
    expect(runs.history(all).map(({ toolRunId }) => toolRunId)).toEqual([
      ...ids.slice(2).toReversed(),
      asked.toolRunId,
    ])
    expect(() => runs.textOf(ids[1] ?? '')).toThrow('no longer stored')
    expect(await read(runs, ids[2])).toBe('2')
  })

  it('drops the oldest texts first, and keeps their other members', async () => {
    const { runs, ids } = historyOf(['a'.repeat(40), 'b'.repeat(40), 'ü'.repeat(20)], {
      mostBytes: 100,
    })
    expect(runs.history(all).map(({ hasText }) => hasText)).toEqual([true, true, false])
    expect(() => runs.textOf(ids[0] ?? '')).toThrow('no longer stored')
    expect(await read(runs, ids[2])).toBe('ü'.repeat(20))
    // Cleared runs free their space.
    runs.clear(ONE)
    const again = ['c', 'd'].map((one) => add(runs, { text: one.repeat(50) }).toolRunId)
    const texts = await Promise.all(again.map((id) => read(runs, id)))
    expect(texts).toEqual(['c'.repeat(50), 'd'.repeat(50)])
    const { hasText } = add(runs, { text: 'e'.repeat(101) })
    expect(hasText).toBe(false)
  })

  it("keeps the 50 newest runs of views, which displace none of the user's (E13)", async () => {
    const { runs, ids } = historyOf(['own'], { mostToolRuns: 5, mostBytes: 10 })
    const ofViews = Array.from({ length: 60 }, (_, place) =>
      add(runs, { text: `${10 + place}`, isOfView: true }),
    )
    const kept = runs.history(all)
    expect(kept).toHaveLength(51)
    expect(kept.at(-1)).toMatchObject({ toolRunId: ids[0], hasText: true })
    expect(kept[0]).toMatchObject({ toolRunId: ofViews.at(-1)?.toolRunId, isOfView: true })
    expect(await read(runs, ids[0])).toBe('own')
    expect(await read(runs, ofViews.at(-1)?.toolRunId)).toBe('69')
    expect(kept.filter(({ hasText }) => hasText)).toHaveLength(4)
  })

  it('accepts each id once, even after its run was cleared', () => {
    const { runs, ids } = historyOf(['1'])
    const [toolRunId = ''] = ids
    runs.clear(ONE)
    const again = { ...all, toolRunId, request: { method: 'tools/call', params: {} } } as const
    expect(() => runs.start(again)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })

  it('accepts at most a hundred running ones', () => {
    const { runs } = historyOf([])
    const begin = (): void =>
      runs.start({ ...all, toolRunId: randomUUID(), request: { method: 'tools/call', params: {} } })
    for (let at = 0; at < 100; at += 1) begin()
    expect(begin).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })

  it('masks secrets that are known at the time of reading', async () => {
    const known = new Set<string>()
    const { runs } = historyOf([], {
      redactorOf: () => createRedactor(known),
    })
    const params = { name: 'tool', arguments: { key: 'late "one"', n: 12_345 } }
    const { toolRunId } = add(runs, { text: JSON.stringify({ key: 'late "one"' }), params })
    expect(runs.history(all)[0]?.request.params).toEqual(params)
    known.add('late "one"').add('12345')
    expect(await read(runs, toolRunId)).toBe(`{"key":"${SECRET_MASK}"}`)
    expect(runs.history(all)[0]?.request.params).toEqual({
      name: 'tool',
      arguments: { key: SECRET_MASK, n: SECRET_MASK },
    })
  })

  it('keeps only the target of long parameters', () => {
    const { runs } = historyOf([])
    const params = { name: 'tool', arguments: { text: 'x'.repeat(70_000) } }
    expect(add(runs, { text: '1', params }).request.params).toEqual({ name: 'tool' })
    const long = { uri: `memo://${'x'.repeat(90_000)}` }
    const { request } = add(runs, { text: '1', method: 'resources/read', params: long })
    expect(JSON.stringify(request).length).toBeLessThan(11_000)
    expect(runs.history({ ...all, target: long.uri })).toHaveLength(1)
  })

  it('returns the end of a run whose server was removed, and stores nothing of it', () => {
    const { runs } = historyOf([])
    const request = { method: 'tools/call', params: { name: 'a', key: 's3cret' } } as const
    const asked = { ...all, toolRunId: randomUUID(), request }
    runs.start(asked)
    runs.forget(ONE)
    const error = { code: 'REQUEST_CANCELLED', message: 'tools/call was canceled.' } as const
    const end = { outcome: { kind: 'failed', error }, text: '{}' } as const
    const ended = runs.end(asked, 9, end, S3CRET)
    expect(ended).toMatchObject({
      request: { params: { name: 'a', key: SECRET_MASK } },
      outcome: { error },
      hasText: false,
    })
    expect(runs.history(all)).toEqual([])
  })
})
