import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ToolRun, ToolRunRequest } from '../../src-shared/domain/agents/tool-run'
import { SECRET_MASK } from '../../src-shared/domain/installation/launch-plan'
import type { Bridge, Reply } from '../../src-shared/ipc/contract'
import { toolRunPath } from '../components/tool/tool-paths'
import { asJsonRpc, endMessage, outcomeLabel, progressText } from '../components/tool-run/messages'
import { noticeOf } from '../components/tool-run/not-running'
import { compareTexts, textToCompare } from '../components/tool-run/tool-run-history'
import { decodeParam, routerPlace } from '../frame/hash-route'
import { setLine } from '../ipc/call'
import {
  isComplete,
  readHistory,
  recordProgress,
  sentBy,
  startToolRun,
  targetOf,
  toolRunStore,
} from './tool-run-store'

const REQUEST: ToolRunRequest = {
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 'key' } },
}
const MASKED: ToolRunRequest = {
  method: 'tools/call',
  params: { name: 'add', arguments: { a: '***' } },
}
const ERROR = { code: 'REQUEST_CANCELLED', message: 'It was cancelled.' } as const

type Runs = PromiseWithResolvers<Reply<ToolRun>>
const line: { run: Runs; reported: readonly ToolRun[]; text: string } = {
  run: Promise.withResolvers(),
  reported: [],
  text: '',
}

function over(toolRunId: string, change: Partial<ToolRun> = {}): ToolRun {
  const outcome = { kind: 'result', length: 2, bytes: 2, isError: false } as const
  const base = { installationId: 'one', request: MASKED, startedAt: 1, hasText: true }
  return { ...base, toolRunId, durationMs: 400, outcome, ...change }
}

beforeEach(() => {
  toolRunStore.setState({ toolRuns: {}, progress: {}, own: [], sent: {} })
  line.run = Promise.withResolvers()
  const requests = {
    'toolRun.start': () => line.run.promise,
    'toolRun.history': async () => Promise.resolve({ ok: true, value: line.reported }),
    'toolRun.text': async ({ from }: { readonly from: number }) =>
      Promise.resolve({
        ok: true,
        value: { text: line.text.slice(from), length: line.text.length },
      }),
  }
  setLine({ requests, events: {} } as unknown as Bridge)
})
afterEach(() => vi.restoreAllMocks())

describe('tool runs in the window', () => {
  it('are known from the request to the end, with their latest progress', async () => {
    const toolRunId = startToolRun({ installationId: 'one', request: REQUEST })
    expect(toolRunStore.getState().toolRuns[toolRunId]).toMatchObject({
      request: REQUEST,
      hasText: false,
    })
    recordProgress({ toolRunId, progress: 1, total: 2 })
    expect(toolRunStore.getState().progress[toolRunId]?.progress).toBe(1)
    line.run.resolve({ ok: true, value: over(toolRunId) })
    await vi.waitFor(() => expect(toolRunStore.getState().own).toEqual([]))
    const { toolRuns, progress } = toolRunStore.getState()
    expect(toolRuns[toolRunId]?.outcome?.kind).toBe('result')
    expect(progress).toEqual({})
    // Late progress changes nothing.
    recordProgress({ toolRunId, progress: 2 })
    expect(toolRunStore.getState().progress).toEqual({})
  })

  it('are sent again unchanged, although main returns them with masked secrets', async () => {
    const toolRunId = startToolRun({ installationId: 'one', request: REQUEST })
    line.run.resolve({ ok: true, value: over(toolRunId) })
    await vi.waitFor(() => expect(toolRunStore.getState().own).toEqual([]))
    const toolRun = toolRunStore.getState().toolRuns[toolRunId]
    expect(toolRun?.request).toEqual(MASKED)
    expect(toolRun && sentBy(toolRun)).toEqual(REQUEST)
    expect(sentBy(over('other'))).toEqual(MASKED)
  })

  it("are removed if another window's run was pending and main no longer knows it", async () => {
    const base = { installationId: 'one', request: MASKED, startedAt: 1, hasText: false }
    const started: ToolRun = { ...base, toolRunId: 'lost' }
    const own = startToolRun({ installationId: 'one', request: REQUEST })
    toolRunStore.setState(({ toolRuns }) => ({
      toolRuns: { ...toolRuns, lost: started, kept: over('kept'), elsewhere: over('elsewhere') },
    }))
    line.reported = [over('kept')]
    await readHistory({ installationId: 'one' })
    const { toolRuns } = toolRunStore.getState()
    expect(Object.keys(toolRuns).toSorted()).toEqual([own, 'elsewhere', 'kept'].toSorted())
    expect(toolRuns.elsewhere?.hasText).toBe(false)
    expect(toolRuns.kept?.hasText).toBe(true)
  })

  it("are removed if a view sent them and main no longer stores them, so that the user's own stay (E13)", async () => {
    const runs = [over('own'), over('view', { isOfView: true }), over('kept', { isOfView: true })]
    toolRunStore.setState({ toolRuns: Object.fromEntries(runs.map((one) => [one.toolRunId, one])) })
    line.reported = [over('kept', { isOfView: true })]
    await readHistory({ installationId: 'one' })
    const { toolRuns } = toolRunStore.getState()
    const known = Object.values(toolRuns).map(({ toolRunId, hasText }) => [toolRunId, hasText])
    expect(Object.fromEntries(known)).toEqual({ kept: true, own: false })
  })

  it('are sent again only if the whole request is known', async () => {
    const toolRunId = startToolRun({ installationId: 'one', request: REQUEST })
    line.run.resolve({ ok: true, value: over(toolRunId) })
    await vi.waitFor(() => expect(toolRunStore.getState().own).toEqual([]))
    const reported = (params: ToolRun['request']['params']): ToolRun =>
      over('elsewhere', { request: { method: 'tools/call', params } })
    expect(isComplete(over(toolRunId))).toBe(true)
    expect(isComplete(reported({ name: 'add', arguments: { a: 1 } }))).toBe(true)
    expect(isComplete(reported({ name: 'add', arguments: { a: SECRET_MASK } }))).toBe(false)
    // Long arguments are not stored at all.
    expect(isComplete(reported({ name: 'add' }))).toBe(false)
  })

  it('fail if main rejects them', async () => {
    const toolRunId = startToolRun({ installationId: 'one', request: REQUEST })
    line.run.resolve({ ok: false, error: { code: 'NOT_FOUND', message: 'No such server.' } })
    await vi.waitFor(() => expect(toolRunStore.getState().own).toEqual([]))
    expect(toolRunStore.getState().toolRuns[toolRunId]?.outcome).toEqual({
      kind: 'failed',
      error: { code: 'NOT_FOUND', message: 'No such server.' },
    })
  })

  it('have the name of their element', () => {
    expect(targetOf(REQUEST)).toBe('add')
    expect(targetOf({ method: 'resources/read', params: { uri: 'a:b', name: 'no' } })).toBe('a:b')
    expect(targetOf({ method: 'prompts/get', params: {} })).toBe('')
  })
})

describe('texts about tool runs', () => {
  it('describe how one ended', () => {
    const problems = [{ path: '', message: 'No.' }]
    const checked = { problems, isChecked: true }
    const result = { kind: 'result', length: 2, bytes: 2, isError: false } as const
    const wordOf = (outcome: ToolRun['outcome']): string =>
      outcomeLabel(over('x', { outcome })).word
    expect(wordOf(undefined)).toBe('Running')
    expect(wordOf(result)).toBe('Result')
    expect(wordOf({ ...result, checked })).toBe('Result doesn’t match its schema')
    expect(wordOf({ ...result, isError: true })).toBe('Tool error')
    expect(wordOf({ kind: 'refused', code: -32_602, message: '', length: 0 })).toBe(
      'Rejected, code -32602',
    )
    expect(wordOf({ kind: 'failed', error: ERROR })).toBe('Canceled')
    expect(wordOf({ kind: 'failed', error: { ...ERROR, code: 'REQUEST_TIMEOUT' } })).toBe(
      'Timed out',
    )
    expect(endMessage(over('x'))).toBe('Result, after 0.4 s.')
  })

  it("describe progress, with invisible characters in the server's text made visible", () => {
    const toolRunId = 'x'
    expect(progressText({ toolRunId, progress: 3, total: 5 })).toBe('Step 3 of 5')
    expect(progressText({ toolRunId, progress: 0.5, total: 1.5 })).toBe('33%')
    expect(progressText({ toolRunId, progress: 5_000, total: 10_000, message: 'half' })).toBe(
      '50%: half',
    )
    expect(progressText({ toolRunId, progress: 2 })).toBe('Step 2')
    expect(progressText({ toolRunId, progress: 2, total: 0 })).toBe('Step 2')
  })

  it('write a request as JSON-RPC', () => {
    expect(JSON.parse(asJsonRpc(REQUEST))).toEqual({ jsonrpc: '2.0', id: 1, ...REQUEST })
  })

  it('say what keeps a server from responding', () => {
    const words = (status: object, onUse: boolean): string | undefined =>
      noticeOf({ status, enabled: true } as never, onUse, 'Call')?.message
    expect(words({ kind: 'ready' }, false)).toBeUndefined()
    expect(words({ kind: 'stopped' }, false)).toBe('The server isn’t running.')
    expect(words({ kind: 'stopped' }, true)).toMatch(/The first call starts the server/u)
    expect(words({ kind: 'error', message: 'It ended.' }, true)).toMatch(/It ended\./u)
  })
})

describe('addresses of tool runs', () => {
  it.each(['plain', 'a/b', 'a%20b', '%2F', '%', 'file:///a%20b?c#d', 'größe 😀', ''])(
    'can be parsed: %s',
    (name) => {
      const path = toolRunPath('id', 'resource', name)
      // Like the router.
      const param = decodeURI(routerPlace(`#${path}`).path)
        .split('/')
        .slice(5)
        .join('/')
      expect(decodeParam(param)).toBe(name)
      expect(path.split('/')).toHaveLength(6)
    },
  )
})

describe('two texts', () => {
  it('are compared line by line if they are not too long', () => {
    const { lines, isCut } = compareTexts('a\nb\nc', 'a\nx\nc')
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same a',
      'removed b',
      'added x',
      'same c',
    ])
    expect(isCut).toBe(false)
    expect(compareTexts('a'.repeat(200_000), 'b').isCut).toBe(true)
    expect(compareTexts('\n'.repeat(5_000), '').lines.length).toBeLessThanOrEqual(600)
  })

  it('are not called equal if only their beginnings were compared', async () => {
    const result = { kind: 'result', length: 200_002, bytes: 200_002, isError: false } as const
    line.text = JSON.stringify('a'.repeat(200_000))
    const brought = await textToCompare(over('long', { outcome: result }))
    expect(compareTexts(brought, brought).isCut).toBe(true)
  })

  it('differ in numbers that no double represents, and are not compared if one is not stored', async () => {
    line.text = '{"n":9007199254740993}'
    const one = await textToCompare(over('one'))
    line.text = '{"n":9007199254740992}'
    const other = await textToCompare(over('other'))
    expect(compareTexts(one, other).lines.map(({ kind }) => kind)).toContain('added')
    await expect(textToCompare(over('gone', { hasText: false }))).rejects.toThrow(
      'no longer available',
    )
  })
})
