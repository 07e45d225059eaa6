import { describe, expect, it } from 'vitest'

import { listedServer, listedTool } from '../../../../e2e/fixtures/directory-servers'
import { ListingsHarness } from '../../../../e2e/fixtures/listings-harness'
import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import { SessionExpiredError } from '../../failure/remote-failure'
import { systemTime } from '../../lifecycle/system-time'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { ServerSession } from '../../mcp/session'
import type { Server } from '../../servers/server'
import type { NewCall } from '../audit/audit-call'
import { AgentCalls } from './agent-calls'
import { RunningCalls, type SentArguments } from './agent-request'

/** Makes a message too long for the comparison with its parsed value. */
const LONG = ' '.repeat(20_000)
const UI = { ui: { resourceUri: 'ui://b', visibility: ['app'] } }

/** Opens the pipeline over one server `files` with the tool `write`; `ready` runs while the server starts. */
function open(profile: Partial<AgentProfile> = {}) {
  const harness = new ListingsHarness()
  const list = (hash: string, own: object = {}): void =>
    harness.serve(listedServer('files', [], { tools: [listedTool('write', { hash }, own)] }))
  list('first')
  const agent = harness.agent('anna', profile)
  const steps: string[] = []
  const calls: NewCall[] = []
  const hooks: { ready?: () => void; send?: () => void } = {}
  const leaving = new AbortController()
  const sent: unknown[] = []
  const approved: SentArguments[] = []
  const session = {
    requestText: (_method: string, params: object): Promise<ResultText> => {
      steps.push('sent')
      sent.push(params)
      hooks.send?.()
      return Promise.resolve(writtenResult({ content: [] }))
    },
  } as unknown as ServerSession
  const server = {
    status: { kind: 'ready' },
    liveSessionFor: () => undefined,
    readyFor: () => {
      hooks.ready?.()
      return Promise.resolve(session)
    },
  } as unknown as Server
  const pipeline = new AgentCalls({
    listings: harness.listings,
    tools: {
      loaded: Promise.resolve(),
      used: (_id, name) => void steps.push(`counted ${name}`),
      given: () => undefined,
      isListed: () => true,
      accepts: () => true,
    },
    servers: { read: () => server, find: () => server },
    approvals: {
      pass: ({ resolved, sent: args }) => {
        approved.push(args)
        return Promise.resolve(void steps.push(`approved ${resolved.hash}`))
      },
    },
    running: new RunningCalls(systemTime, (text) => text, { record: (call) => calls.push(call) }),
    presence: { listed: () => undefined },
    warn: () => undefined,
  })
  const call = (name: string, args: object = {}, text = LONG): Promise<ResultText> => {
    const params = { name, arguments: args }
    return pipeline.send(
      { method: 'tools/call', params, value: params, text },
      {
        ...{ agent, protocolVersion: '2025-11-25', signal: leaving.signal },
        ...{ requestOrigin: { agent: 'Anna' }, drawsViews: false, cancel: () => undefined },
      },
    )
  }
  return { list, steps, calls, hooks, call, sent, approved, leave: () => leaving.abort() }
}

describe('C11: a tool that changes during its call', () => {
  it('is validated and approved again if its server changes it during startup', async () => {
    const { list, steps, hooks, call } = open()
    hooks.ready = () => {
      delete hooks.ready
      list('second')
    }
    await call('files__write')
    expect(steps).toEqual(['approved first', 'approved second', 'sent', 'counted write'])
    const properties = { path: { type: 'string' } }
    hooks.ready = () => list('third', { inputSchema: { type: 'object', properties } })
    await expect(call('files__write', { path: 1 })).rejects.toMatchObject({
      code: 'INVALID_VALUES',
    })
    expect(steps.slice(4)).toEqual(['approved second'])
  })

  it('is not called again if its server changes it after a reconnect', async () => {
    const { list, steps, hooks, call } = open()
    hooks.send = () => {
      list('second')
      throw new SessionExpiredError(new URL('http://files.example'))
    }
    await expect(call('files__write')).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    expect(steps).toEqual(['approved first', 'sent', 'counted write'])
  })
})

describe('F12: a call whose agent is gone', () => {
  it('is not sent once its server has started', async () => {
    const { steps, hooks, call, leave } = open()
    hooks.ready = leave
    await expect(call('files__write')).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' })
    expect(steps).toEqual(['approved first'])
  })
})

describe("E13: a tool that only its server's page may call", () => {
  it('is not called by a model that searches for tools', async () => {
    const { list, steps, call } = open({ searchMode: true })
    const found = { name: 'files__write', arguments: {} }
    await call('call_tool', found)
    list('second', { _meta: UI })
    await expect(call('call_tool', found)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(steps).toEqual(['approved first', 'sent', 'counted write'])
  })
})

describe('D6: the record of a call', () => {
  it('has the arguments as they were sent and as the user saw them', async () => {
    const { calls, call, sent, approved } = open({ keepsArguments: true })
    const text = '{"n":1e400,"id":12345678901234567890,"at":1.0}'
    const message = `{"method":"tools/call","params":{"name":"files__write","arguments":${text}}}`
    await call('files__write', JSON.parse(text) as object, message)
    expect(calls).toMatchObject([{ arguments: text }])
    expect(JSON.stringify(sent)).toBe(`[{"name":"write","arguments":${text}}]`)
    expect(approved.map((one) => one.text)).toEqual([text])
  })

  it("is stored even if its arguments can't be serialized", async () => {
    const { calls, call } = open({ keepsArguments: true })
    let deep: unknown = []
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    await call('files__write', { deep })
    await call('files__write', {}, 'x'.repeat(300_000))
    expect(calls).toMatchObject([
      { outcome: 'ok', target: 'write', arguments: '(nested too deeply to store)' },
      { outcome: 'ok', arguments: '(300000 bytes, too large to store)' },
    ])
  })
})
