import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { STATELESS, statelessMeta } from '../../../../e2e/fixtures/gateway-harness'
import { ListenerHarness } from '../../../../e2e/fixtures/listener-harness'
import { ManualClock } from '../../../../e2e/fixtures/manual-clock'
import { NO_SERVERS } from '../../../../e2e/fixtures/no-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentListing } from '../listing/agent-listing'
import { AgentEndpoint } from './endpoint'
import { SLOW_MS } from './http-answer'

const LISTING: AgentListing = {
  ...{ servers: [], callable: [], prompts: [], resources: [], templates: [], definitions: [] },
  ...{ sharedNames: new Map(), uiOwners: new Map(), byName: new Map(), hidden: new Map() },
  overCap: 0,
}
const nobody = (): never => {
  throw new Error('There is no server.')
}
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' }

describe('F10: a slow response of the gateway', () => {
  let harness: ListenerHarness
  let clock: ManualClock
  let endpoint: AgentEndpoint
  let answer: PromiseWithResolvers<ResultText>
  let calls: { readonly signal: AbortSignal }[] = []
  beforeEach(async () => {
    calls = []
    answer = Promise.withResolvers()
    clock = new ManualClock()
    harness = await new ListenerHarness(tempFolder('patience')).open()
    endpoint = new AgentEndpoint(
      {
        listings: { of: () => LISTING, nameOf: (id) => id },
        calls: {
          handle: async (_request, { signal }) => {
            calls.push({ signal })
            const left = once(signal, 'abort').then(() => writtenResult({}))
            return Promise.race([answer.promise, left])
          },
          routeOf: nobody,
        },
        servers: NO_SERVERS,
        watches: { add: nobody },
        tools: { usageOf: () => undefined },
        presence: { named: () => undefined },
      },
      { version: '0', profileDir: tempFolder('sessions') },
      clock,
    )
    harness.answer = (exchange) => endpoint.serve(exchange)
  })
  afterEach(async () => {
    endpoint.close()
    expect(harness.faults).toEqual([])
    await harness.close()
  })

  const post = (
    message: object,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> =>
    fetch(harness.listener.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${harness.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(message),
      ...(signal && { signal }),
    })

  /** Sends a call in each kind of protocol version. */
  const WAYS: Readonly<
    Record<string, (accept: string, signal?: AbortSignal) => Promise<() => Promise<Response>>>
  > = {
    sessions: async (accept, signal) => {
      const params = { protocolVersion: '2025-06-18', capabilities: {} }
      const opened = await post({ ...CALL, method: 'initialize', params }, { accept })
      await opened.text()
      const session = opened.headers.get('mcp-session-id') ?? ''
      return () => post(CALL, { accept, 'mcp-session-id': session }, signal)
    },
    stateless: (accept, signal) => {
      const headers = { accept, 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call' }
      const params = { name: 'x', _meta: statelessMeta() }
      return Promise.resolve(() =>
        post({ ...CALL, params }, { ...headers, 'mcp-name': 'x' }, signal),
      )
    },
  }

  it.each(['sessions', 'stateless'])(
    'begins as a stream after 5 s, without a progress token, with %s',
    async (way) => {
      const send = await WAYS[way]?.('application/json, text/event-stream')
      if (!send) throw new Error('There is no such way.')
      const response = send()
      await expect.poll(() => calls.length).toBe(1)
      clock.pass(SLOW_MS)
      const streamed = await response
      expect(streamed.headers.get('content-type')).toBe('text/event-stream')
      answer.resolve(writtenResult({ content: [], late: true }))
      expect(await streamed.text()).toContain('"late":true')
    },
  )

  it.each(['sessions', 'stateless'])(
    'is JSON if it comes sooner or the agent accepts no stream, with %s',
    async (way) => {
      for (const [accept, ms] of [
        ['application/json, text/event-stream', SLOW_MS - 1],
        ['application/json', 10 * SLOW_MS],
      ] as const) {
        answer = Promise.withResolvers()
        const before = calls.length
        const send = await WAYS[way]?.(accept)
        const response = send?.()
        await expect.poll(() => calls.length).toBe(before + 1)
        clock.pass(ms)
        answer.resolve(writtenResult({ content: [] }))
        expect((await response)?.headers.get('content-type')).toBe('application/json')
        expect(await (await response)?.json()).toMatchObject({ id: 1, result: { content: [] } })
      }
    },
  )

  it.each(['sessions', 'stateless'])(
    'is canceled with a reason when the agent disconnects, with %s',
    async (way) => {
      const leave = new AbortController()
      const send = await WAYS[way]?.('application/json, text/event-stream', leave.signal)
      const response = send?.()
      await expect.poll(() => calls.length).toBe(1)
      leave.abort()
      await expect(response).rejects.toThrow('aborted')
      await expect.poll(() => calls[0]?.signal.aborted).toBe(true)
      expect(calls[0]?.signal.reason).toBe('The agent disconnected.')
    },
  )
})
