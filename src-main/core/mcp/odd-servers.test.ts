import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { started } from '../../../e2e/fixtures/supervised'
import { node } from '../../../e2e/fixtures/test-servers'

const LOOSE = join(import.meta.dirname, '../../../e2e/servers/loose.mjs')

/** Starts the server that violates the protocol in this way, and waits for a status of this kind. */
async function open(way: string, kind = 'ready', more: Parameters<typeof started>[0] = {}) {
  const opened = await started({ spec: node(LOOSE, way), ...more }, kind)
  const { server } = opened
  const warnings = (): string => server.protocolWarnings.map(({ message }) => message).join('\n')
  const names = (): string[] => server.capabilities.tools.map(({ name }) => name)
  return { ...opened, warnings, names }
}

describe('F1: a server that violates the protocol', () => {
  it('is Ready with its tool if members of its handshake are null, and the repair is reported', async () => {
    const { server, names, warnings } = await open('null members')
    expect(names()).toEqual(['echo'])
    expect(warnings()).toContain('capabilities.tools.listChanged is null')
    expect(server.faults.malformedAnswers).toBe(0)
  })

  it('keeps every element with null members, and reports a removed null element by its number', async () => {
    const { server, names, warnings } = await open('null lists', 'degraded')
    const { tools, resources, resourceTemplates, prompts, notices } = server.capabilities
    expect(names()).toEqual(['all', 'hints', 'icons'])
    expect([resources.length, resourceTemplates.length, prompts.length]).toEqual([1, 1, 2])
    expect(JSON.stringify({ tools, resources, resourceTemplates, prompts })).not.toContain('null')
    expect(notices).toEqual([expect.stringContaining('Tools: number 4')])
    expect(warnings()).toContain('prompts[].arguments[].required is null')
  })

  it('delivers a result with null _meta and annotations', async () => {
    const { server, call } = await open('null in results')
    expect(await call('echo')).toEqual({ content: [{ type: 'text', text: 'forty-two' }] })
    expect(server.faults.malformedAnswers).toBe(0)
  })

  it('gets a response to its ping with null params, and its change notification is followed', async () => {
    const { server, names } = await open('null params')
    await expect.poll(() => names().length).toBe(2)
    expect(server.status.kind).toBe('ready')
  })
})

describe('F8: a handshake that takes too long', () => {
  it.each([
    ['says words only', 'The server wrote 2 lines on stdout that are not messages.'],
    ['answers another id', 'The server sent a response, but to an unknown request.'],
  ])('reports what came from a server that %s', async (way, facts) => {
    const { failure } = await open(way, 'error', { handshakeMs: 1_500 })
    expect(failure()[1]).toBe(`The server did not initialize within 1.5 s. ${facts}`)
  })

  it.runIf(process.platform === 'linux')(
    'fails early if a script runs the server in the background',
    async () => {
      const program = `${process.execPath} -e "setInterval(() => {}, 1000)"`
      const env = { PATH: process.env.PATH ?? '' }
      const spec = { command: '/bin/sh', args: ['-c', `${program} & wait $!`], env }
      const { server } = await open('', 'error', { spec, handshakeMs: 60_000 })
      expect(server.status).toMatchObject({
        code: 'HANDSHAKE_FAILED',
        message: expect.stringMatching(/can’t read its input: stdin is \/dev\/null/u) as string,
        hint: expect.stringContaining('in the background') as string,
      })
    },
  )
})
