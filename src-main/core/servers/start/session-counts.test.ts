import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, TestServers, until, untilKind } from '../../../../e2e/fixtures/test-servers'
import type { EndedRequest } from '../../mcp/peer/request-failure'

const script = (name: string): string => join(import.meta.dirname, '../../../../e2e/servers', name)
const WORKS = script('works.mjs')

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

describe('B11: the counts of a server', () => {
  it.each(['request', 'requestText'] as const)(
    'include each ended request with duration and error code: handshake, lists, pings and calls over %s',
    async (way) => {
      const { server } = supervisors.open({ spec: node(WORKS) })
      const ended: EndedRequest[] = []
      server.counts.onDidEndRequest((request) => ended.push(request))
      server.start()
      await untilKind(server, 'ready')
      const session = server.session
      await session?.ping(5_000)
      const call = (name: string, args = {}, options = {}): Promise<unknown> | undefined =>
        session?.[way]('tools/call', { name, arguments: args }, options)
      await call('slow', { ms: 300 })
      await expect(call('fail')).rejects.toThrow()
      await expect(call('slow', {}, { timeoutMs: 100 })).rejects.toThrow()
      const hanging = call('slow')
      expect(session?.inFlight).toBe(1)
      const given = expect(hanging).rejects.toThrow()
      await server.stop()
      await given
      expect(session?.inFlight).toBe(0)
      expect(ended.map(({ method, failure }) => [method, failure])).toEqual([
        ['initialize', undefined],
        ['tools/list', undefined],
        ['ping', undefined],
        ['tools/call', undefined],
        ['tools/call', '-32002'],
        ['tools/call', 'REQUEST_TIMEOUT'],
        ['tools/call', 'SERVER_EXITED'],
      ])
      expect(ended[3]?.ms).toBeGreaterThan(290)
    },
  )

  it('count an unanswered ping as an error, but not a rejected one', async () => {
    const silent = supervisors.open({ spec: node(script('falls-silent.mjs')) })
    const refusing = supervisors.open({ spec: node(script('pingless.mjs')) })
    for (const [{ server }, limitMs, failure] of [
      [silent, 500, 'REQUEST_TIMEOUT'],
      [refusing, 60_000, undefined],
    ] as const) {
      const ended: EndedRequest[] = []
      server.start()
      await untilKind(server, 'ready')
      if (server === silent.server)
        await server.session?.request('tools/call', { name: 'hush', arguments: {} })
      server.counts.onDidEndRequest((request) => ended.push(request))
      expect(await server.session?.ping(limitMs)).toBe(failure === undefined)
      expect(ended).toMatchObject([{ method: 'ping', failure }])
    }
  })

  it('add up the noise of all sessions across reconnects, without counting twice', async () => {
    let spec = node(script('noisy.mjs'))
    const { server } = supervisors.open({ prepare: () => spec })
    server.start()
    await until(() => server.counts.noiseLines === 2 && server.capabilities.tools.length === 1)
    await untilKind(server, 'ready')
    const seen: number[] = []
    for (const next of ['plain.mjs', 'noisy.mjs', 'plain.mjs']) {
      spec = node(script(next))
      server.reconnect()
      await until(() => (seen.push(server.counts.noiseLines), server.reconnecting === undefined))
    }
    expect(server.counts.noiseLines).toBe(4)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it('add up the bytes of all sessions, including ended ones', async () => {
    const { server } = supervisors.open({})
    const text = 'x'.repeat(200_000)
    const args = { name: 'echo', arguments: { text } }
    expect(server.counts.byteCounts).toEqual({ bytesIn: 0, bytesOut: 0 })
    for (const round of [1, 2]) {
      server.start()
      await untilKind(server, 'ready')
      await server.session?.request('tools/call', args)
      const { bytesIn, bytesOut } = server.counts.byteCounts
      for (const bytes of [bytesIn, bytesOut]) {
        expect(bytes).toBeGreaterThan(round * text.length)
        expect(bytes).toBeLessThan(round * (text.length + 5_000))
      }
      await server.stop()
      await until(() => server.counts.byteCounts.bytesIn >= bytesIn)
      expect(server.counts.byteCounts.bytesIn - bytesIn).toBeLessThan(5_000)
    }
    expect([server.counts.starts, server.counts.restarts, server.counts.losses]).toEqual([2, 0, 0])
  })
})
