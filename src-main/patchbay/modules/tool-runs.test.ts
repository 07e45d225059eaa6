import { randomUUID } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { closing } from '../../../e2e/fixtures/closing'
import { fixtureServer } from '../../../e2e/fixtures/fixture-server'
import { KEY, ToolRunHarness } from '../../../e2e/fixtures/tool-run-harness'
import { SECRET_MASK } from '../../../src-shared/domain/installation/launch-plan'

const open = async (args?: readonly string[]): Promise<ToolRunHarness> =>
  closing(await ToolRunHarness.open({}, args))
const TEXT = { content: [{ type: 'text', text: 'hello' }] }

describe('D5: a run of a tool', () => {
  it("returns the server's exact result, with its size", async () => {
    const tried = await open()
    const toolRunId = randomUUID()
    const toolRun = await tried.callTool('give', { result: { ...TEXT, n: 1 } }, { toolRunId })
    const text = JSON.stringify({ ...TEXT, n: 1 })
    const { startedAt, durationMs } = toolRun
    expect(toolRun).toEqual({
      ...{ toolRunId, startedAt, durationMs, installationId: tried.id },
      request: {
        method: 'tools/call',
        params: { name: 'give', arguments: { result: { ...TEXT, n: 1 } } },
      },
      outcome: { kind: 'result', length: text.length, bytes: text.length, isError: false },
      hasText: true,
    })
    expect(await tried.text(toolRunId)).toBe(text)
    expect(await tried.history()).toEqual([toolRun])
  })

  it('reports that the tool itself failed', async () => {
    const tried = await open()
    const { outcome } = await tried.callTool('give', { result: { ...TEXT, isError: true } })
    expect(outcome).toMatchObject({ kind: 'result', isError: true })
  })

  it('works for tools hidden from agents, and counts as a use', async () => {
    const tried = await open()
    const { harness, id } = tried
    await harness.call('tools.choose', { installationId: id, choice: { kind: 'list', names: [] } })
    expect((await tried.callTool('give', { result: TEXT })).outcome?.kind).toBe('result')
    const { tools } = await harness.call('tools.list', { installationId: id })
    const uses = tools.filter(({ uses }) => uses > 0).map(({ name, uses }) => [name, uses])
    expect(uses).toEqual([['give', 1]])
    expect((await tried.run('tools/call', { name: 'none' })).outcome?.kind).toBe('refused')
  })

  it('has its result read in parts within the limit, without a cut surrogate pair', async () => {
    const tried = await open()
    const result = { content: [{ type: 'text', text: '😀ü\n'.repeat(5_000) }] }
    const { toolRunId, outcome } = await tried.callTool('give', { result })
    expect(await tried.text(toolRunId, 999)).toBe(JSON.stringify(result))
    expect(outcome).toMatchObject({ length: JSON.stringify(result).length })
    const none = tried.harness.call('toolRun.text', { toolRunId: randomUUID(), from: 0 })
    await expect(none).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('accepts an id once', async () => {
    const tried = await open()
    const toolRunId = randomUUID()
    await tried.callTool('give', { result: TEXT }, { toolRunId })
    await tried.harness.call('toolRun.clear', { installationId: tried.id })
    expect(await tried.history()).toEqual([])
    await expect(tried.callTool('give', { result: TEXT }, { toolRunId })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
    const gone = tried.callTool('give', {}, { installationId: randomUUID() })
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('D5: the output schema check of a tool run', () => {
  it('lists the faults of the structured content', async () => {
    const tried = closing(await ToolRunHarness.open())
    const checkedOf = async (name: string, result: object): Promise<unknown> => {
      const { outcome } = await tried.callTool(name, { result: { content: [], ...result } })
      return outcome?.kind === 'result' ? outcome.checked : outcome
    }
    const fine = { isChecked: true, problems: [] }
    expect(await checkedOf('number', { structuredContent: { n: 1 } })).toEqual(fine)
    expect(await checkedOf('number', { structuredContent: { n: KEY, m: 1 } })).toEqual({
      isChecked: true,
      problems: [
        { path: '/n', message: `n must be a number, got the string "${SECRET_MASK}".` },
        { path: '/m', message: 'Unknown field "m".' },
      ],
    })
    expect(await checkedOf('number', {})).toMatchObject({ problems: [{ path: '' }] })
    expect(await checkedOf('number', { isError: true })).toBeUndefined()
    expect(await checkedOf('give', { structuredContent: { n: 'x' } })).toBeUndefined()
    expect(await checkedOf('endless', { structuredContent: { next: { next: 7 } } })).toMatchObject({
      problems: [{ path: '/next/next' }],
    })
    const text = `${'a'.repeat(50)}b`
    // A pattern with catastrophic backtracking is ignored.
    expect(await checkedOf('hostile', { structuredContent: { text } })).toEqual(fine)
  })
})

describe('D5: a run of a resource or a prompt', () => {
  it("returns the server's exact result, and is found by its target", async () => {
    const tried = closing(await ToolRunHarness.with(fixtureServer('rich.mjs')))
    const read = await tried.run('resources/read', { uri: 'memo://rich' })
    expect(JSON.parse(await tried.text(read.toolRunId))).toMatchObject({
      contents: [{ uri: 'memo://rich', text: 'rich has memo://rich' }],
    })
    const asked = { name: 'greet', arguments: { who: 'Ann' } }
    const prompt = await tried.run('prompts/get', asked)
    expect(await tried.text(prompt.toolRunId)).toContain('Hello Ann')
    const missing = await tried.run('resources/read', { uri: 'memo://rich/missing' })
    // As the server wrote it, unlike the SDK's version.
    expect(missing.outcome).toMatchObject({
      kind: 'refused',
      code: -32_002,
      message: 'Resource not found',
    })
    const of = { installationId: tried.id, method: 'resources/read' } as const
    expect(await tried.harness.call('toolRun.history', of)).toEqual([missing, read])
    const one = await tried.harness.call('toolRun.history', { ...of, target: 'memo://rich' })
    expect(one).toEqual([read])
  })
})

describe('D5: the secrets of a server', () => {
  it('are masked in every part of a tool run', async () => {
    const tried = await open()
    const result = await tried.callTool('tells', { how: 'well', KEY })
    const rejected = await tried.callTool('tells', { how: 'refused' })
    await tried.callTool('steps', { times: 1 })
    const texts = [
      await tried.text(result.toolRunId),
      await tried.text(rejected.toolRunId),
      JSON.stringify([rejected, result, tried.progress, await tried.history()]),
    ]
    for (const text of texts) {
      expect(text).not.toContain('k3y')
      expect(text).toContain(SECRET_MASK)
      expect(() => JSON.parse(text) as unknown).not.toThrow()
    }
    expect(rejected.outcome).toMatchObject({
      kind: 'refused',
      code: 7,
      message: `Not with ${SECRET_MASK}`,
      length: texts[1]?.length,
    })
    expect(result.outcome).toMatchObject({ kind: 'result', length: texts[0]?.length })
    expect(result.request.params.arguments).toEqual({ how: 'well', KEY: SECRET_MASK })
    expect(tried.progress).toMatchObject([{ message: `step 1 ${SECRET_MASK}` }])
  })
})

describe('D5: the completion of an argument', () => {
  const complete = (tried: ToolRunHarness, value: string): Promise<unknown> =>
    tried.harness.call('toolRun.complete', {
      installationId: tried.id,
      request: {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value },
        context: { arguments: { how: 'loudly' } },
      },
    })

  it('is what the server returns', async () => {
    const tried = await open(['completes'])
    expect(await complete(tried, 'An')).toEqual({
      values: ['An1', 'An2', SECRET_MASK],
      total: 9,
      hasMore: true,
    })
    expect(await complete(tried, 'unknown')).toEqual({ values: [], hasMore: false })
    await expect(complete(tried, 'garbled')).rejects.toMatchObject({ code: 'INVALID_ANSWER' })
    await expect(complete(tried, 'quiet')).rejects.toThrow('within 5 s')
  }, 40_000)

  it('is empty without a request if the server completes nothing', async () => {
    const tried = await open()
    expect(await complete(tried, 'An')).toEqual({ values: [], hasMore: false })
    expect(await tried.linesWith('completes An')).toEqual([])
    await tried.harness.call('server.stop', { installationId: tried.id })
    await tried.harness.until(tried.id, 'stopped')
    expect(await complete(tried, 'An')).toEqual({ values: [], hasMore: false })
  })
})
