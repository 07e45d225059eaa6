import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, Supervisors, untilKind } from '../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../src-shared/domain/running/run-status'

const LOOSE = join(import.meta.dirname, '../../../e2e/servers/loose.mjs')

let supervisors: Supervisors
beforeEach(() => {
  supervisors = new Supervisors()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

type Opening = Parameters<Supervisors['open']>[0]

function open(way: string, more: Opening = {}) {
  const opened = supervisors.open({ spec: node(LOOSE, way), ...more })
  opened.server.start()
  return opened
}

describe('F3 a server that leaves pings unanswered', () => {
  it('stays as long as it answers for the list that it gave before', async () => {
    const { server, lines } = open('silent to pings', { settings: { healthMs: 1_000 } })
    await untilKind(server, 'ready')
    const { session } = server
    const count = (method: string): number => lines().filter((line) => line === method).length
    await expect.poll(() => count('tools/list'), { timeout: 30_000 }).toBeGreaterThan(4)
    expect([server.session, server.status.kind]).toEqual([session, 'ready'])
    // A ping that was never answered is not sent again.
    expect(count('ping')).toBe(1)
  })
})

describe('F8 a server that answers elsewhere', () => {
  it('fails a call that it refuses on stderr with its words', async () => {
    const { server } = open('answers on stderr')
    await untilKind(server, 'ready')
    await expect(
      server.session?.request('tools/call', { name: 'echo', arguments: {} }),
    ).rejects.toMatchObject({
      code: 'INVALID_ANSWER',
      message: expect.stringContaining(
        'to stderr instead of stdout. Server message: The token',
      ) as string,
    })
  })

  it('is Ready with its tools where its messages have Content-Length headers', async () => {
    const { server } = open('frames its messages')
    await untilKind(server, 'ready')
    expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['echo'])
    expect(server.protocolWarnings[0]?.message).toContain('Content-Length headers')
  })
})

describe('F8 a handshake that takes too long', () => {
  it.each([
    ['says nothing', 'Nothing arrived on stdout.'],
    ['says words only', 'The server wrote 2 lines on stdout that are not messages.'],
    ['answers another id', 'The server sent a response, but to an unknown request.'],
  ])('names what came from a server that %s', async (way, facts) => {
    const { server } = open(way, { handshakeMs: 1_500 })
    await untilKind(server, 'error')
    expect(isFailed(server.status) && server.status.message).toBe(
      `The server did not initialize within 1.5 s. ${facts}`,
    )
  })

  it.runIf(process.platform === 'linux')(
    'ends early where a script runs the server in the background',
    async () => {
      const program = `${process.execPath} -e "setInterval(() => {}, 1000)"`
      const env = { PATH: process.env.PATH ?? '' }
      const spec = { command: '/bin/sh', args: ['-c', `${program} & wait $!`], env }
      const { server } = open('', { spec, handshakeMs: 60_000 })
      await untilKind(server, 'error')
      expect(server.status).toMatchObject({
        code: 'HANDSHAKE_FAILED',
        message: expect.stringMatching(/can’t read its input: stdin is \/dev\/null/u) as string,
        hint: expect.stringContaining('in the background') as string,
      })
    },
  )
})
