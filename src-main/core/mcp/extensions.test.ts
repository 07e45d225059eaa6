import { describe, expect, it } from 'vitest'

import type { Answers } from '../../../e2e/fixtures/memory-connection'
import { memorySession } from '../../../e2e/fixtures/memory-session'
import { type Answer, json, status } from '../../../e2e/fixtures/older-remote'
import { startedRemote } from '../../../e2e/fixtures/supervised'
import { ServerRequests } from './elicitation/server-requests'
import type { ProtocolMode } from './negotiate'
import type { Progress } from './peer/pending-requests'

const IDS = ['ui', 'tasks', 'skills'].map((name) => `io.modelcontextprotocol/${name}`)
const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
const CALL = { name: 'slow', arguments: {} }
const FORM = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}

/** Opens a session with an in-memory server, whose user answers each form with a name. */
async function open(answers: Answers, protocolMode: ProtocolMode) {
  const sent: [method: string, params: Record<string, unknown>][] = []
  const recorded = Object.entries(answers).map(([method, answer]) => [
    method,
    (params: Record<string, unknown>) => {
      sent.push([method, params])
      return answer(params)
    },
  ])
  const { session } = memorySession(Object.fromEntries(recorded) as Answers, {
    known: { protocolMode },
    serverRequests: new ServerRequests({
      installationId: 'one',
      userRequests: {
        request: () => Promise.resolve({ kind: 'accept', content: { name: 'Ann' } }),
      },
      waitMs: () => 60_000,
      roots: { chosen: () => [] },
      log: { append: () => undefined },
      onDidChange: () => undefined,
    }),
  })
  await session.connect(60_000)
  return { session, sent, methods: () => sent.map(([method]) => method) }
}

/** Answers of a server whose call becomes a task with these states, one per poll. */
function tasks(...states: readonly object[]): Answers {
  const task = { taskId: 'one', status: 'working', pollIntervalMs: 100, ttlMs: null }
  let polls = 0
  return {
    'server/discover': () => DISCOVERED,
    'tools/call': () => ({ resultType: 'task', ...task }),
    'tasks/get': () => ({ resultType: 'complete', ...task, ...states[polls++] }),
    'tasks/update': () => ({ resultType: 'complete' }),
    'tasks/cancel': () => ({ resultType: 'complete' }),
  }
}

describe('E5: the extensions of MCP', () => {
  it('are announced to a server with sessions', async () => {
    const result = { protocolVersion: '2025-11-25', capabilities: {} }
    const { sent } = await open({ initialize: () => result }, 'sessions')
    const [[, params] = []] = sent
    const capabilities = params?.capabilities as { extensions: object } | undefined
    expect(Object.keys(capabilities?.extensions ?? {})).toEqual(IDS)
  })

  it('are announced to a stateless server with each request', async () => {
    const answers = { 'server/discover': () => DISCOVERED, 'skills/list': () => ({ skills: [] }) }
    const { session, sent } = await open(answers, 'stateless')
    expect(await session.request('skills/list', {})).toEqual({ skills: [] })
    for (const [, { _meta: meta }] of sent) {
      const key = 'io.modelcontextprotocol/clientCapabilities'
      const { extensions } = (meta as Record<string, { extensions: object }>)[key] ?? {}
      expect(Object.keys(extensions ?? {})).toEqual(IDS)
    }
  })
})

describe('E5: a call that becomes a task', () => {
  it("returns the task's result, after its elicitation, and reports progress", async () => {
    const inputRequests = { who: { method: 'elicitation/create', params: FORM } }
    const content = [{ type: 'text', text: 'Done, Ann' }]
    const { session, sent, methods } = await open(
      tasks(
        { statusMessage: 'half' },
        { status: 'input_required', inputRequests },
        { status: 'input_required', inputRequests },
        { status: 'completed', result: { content, structuredContent: { n: 1 } } },
      ),
      'stateless',
    )
    const steps: Progress[] = []
    const onProgress = (step: Progress): unknown => steps.push(step)
    const { text, result } = await session.requestText('tools/call', CALL, { onProgress })
    expect(result).toEqual({ content, structuredContent: { n: 1 } })
    expect(JSON.parse(String(text))).toEqual(result)
    const get = 'tasks/get'
    expect(methods().slice(1)).toEqual(['tools/call', get, get, 'tasks/update', get, get])
    expect(sent.find(([method]) => method === 'tasks/update')?.[1]).toMatchObject({
      taskId: 'one',
      inputResponses: { who: { action: 'accept', content: { name: 'Ann' } } },
    })
    expect(steps[0]).toEqual({ progress: 1, message: 'half' })
  })

  it.each([
    [{ status: 'failed', error: { code: -32_603, message: 'The disk is full' } }, 'disk is full'],
    [{ status: 'cancelled', statusMessage: 'Too old' }, 'Too old'],
  ])('is rejected if its task ends with: %j', async (state, words) => {
    const { session } = await open(tasks(state), 'stateless')
    const rejected = { code: 'REQUEST_REFUSED', message: expect.stringContaining(words) as string }
    await expect(session.request('tools/call', CALL)).rejects.toMatchObject(rejected)
  })

  it.each([
    ['is canceled', 'REQUEST_CANCELLED', {}],
    ['exceeds its time limit', 'REQUEST_TIMEOUT', { timeoutMs: 200, maxTotalMs: 300 }],
  ])('cancels its task if it %s', async (_why, code, limits) => {
    const { session, methods } = await open(tasks(), 'stateless')
    const giveUp = new AbortController()
    const call = session.request('tools/call', CALL, { signal: giveUp.signal, ...limits })
    const failed = expect(call).rejects.toMatchObject({ code })
    await expect.poll(methods).toContain('tasks/get')
    if (code === 'REQUEST_CANCELLED') giveUp.abort()
    await failed
    await expect.poll(methods).toContain('tasks/cancel')
  })

  it('requests a task if the tool requires one at a server with sessions', async () => {
    const task = { taskId: 'one', status: 'working', ttl: null, pollInterval: 100 }
    const states = ['working', 'input_required']
    const content = [{ type: 'text', text: 'Done' }]
    const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } }
    const inputSchema = { type: 'object' }
    const tools = [
      { name: 'slow', inputSchema, execution: { taskSupport: 'required' } },
      { name: 'quick', inputSchema },
    ]
    const answers: Answers = {
      initialize: () => ({ protocolVersion: '2025-11-25', capabilities }),
      'tools/list': () => ({ tools }),
      'tools/call': ({ name }) => (name === 'slow' ? { task } : { content: [] }),
      'tasks/get': () => ({ ...task, status: states.shift() }),
      'tasks/result': () => ({ content }),
    }
    const { session, sent, methods } = await open(answers, 'sessions')
    await session.discover(60_000)
    expect(await session.request('tools/call', CALL)).toEqual({ content })
    expect(methods().slice(2)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/result'])
    expect(sent[2]?.[1]).toMatchObject({ ...CALL, task: {} })
    await session.request('tools/call', { name: 'quick', arguments: {} })
    expect(sent.at(-1)?.[1]).not.toHaveProperty('task')
  })

  it('names its task in a header over HTTP, and keeps the digits of its result', async () => {
    const discovered: Answer = (response, id) =>
      json({ jsonrpc: '2.0', id, result: DISCOVERED })(response, id)
    const task = '"taskId":"one","pollIntervalMs":1,"createdAt":"","lastUpdatedAt":"","ttlMs":null'
    const answer = (members: string): Answer => {
      return (response, id) => {
        names.push(response.req.headers['mcp-name'])
        const text = `{"jsonrpc":"2.0","id":${String(id)},"result":{${task},${members}}}`
        status(200, text, 'application/json')(response, id)
      }
    }
    const names: unknown[] = []
    const { server } = await startedRemote({
      'server/discover': discovered,
      'tools/call': answer('"resultType":"task","status":"working"'),
      'tasks/get': answer(
        '"resultType":"complete","status":"completed","result":{"content":[],"n":9007199254740993}',
      ),
    })
    const result = await server.session?.requestText('tools/call', CALL)
    expect(String(result?.text)).toBe('{"content":[],"n":9007199254740993}')
    expect(names).toEqual(['slow', 'one'])
  })
})
