import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { node, TestServers, until, untilKind } from '../../../../e2e/fixtures/test-servers'
import { createRedactor } from '../../masking/redact'
import type { ChildSpec } from '../../process/spawn/child-process'

const SERVERS = join(import.meta.dirname, '../../../../e2e/servers')
const [OLD, NEW] = ['old-key-of-the-team', 'new-key-of-the-team']

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

/** Opens a server that prints its key on request, started with the first of the keys and masked as `prepareLaunch` does. */
function open() {
  const next: { key: string; script: string; ready: Promise<void> } = {
    ...{ key: OLD, script: 'tells-key.mjs', ready: Promise.resolve() },
  }
  const supervised = supervisors.open({
    handshakeMs: 60_000,
    prepare: async (): Promise<ChildSpec> => {
      const spec = node(join(SERVERS, next.script))
      supervised.log.setRedactor(createRedactor([next.key]), {})
      await next.ready
      return { ...spec, env: { ...spec.env, API_KEY: next.key } }
    },
  })
  const { server, lines } = supervised
  const reported = (): string[] => lines().filter((line) => line.startsWith('the key itself'))
  const report = (): Promise<unknown> | undefined =>
    server.session?.request('tools/call', { name: 'tell', arguments: {} })
  return { ...supervised, next, reported, report }
}

const MASKED = 'the key itself: ••••••••.'

describe('A7: a rotated secret', () => {
  it("stays masked in the old session's output during and after a failed reconnect", async () => {
    const { server, log, lines, next, reported, report } = open()
    server.start()
    await untilKind(server, 'ready')
    const held = Promise.withResolvers<undefined>()
    Object.assign(next, { key: NEW, script: 'exits.mjs', ready: held.promise })
    server.reconnect()
    await until(() => log.redactor(NEW) !== NEW)
    await report()
    await until(() => reported().length === 2)
    log.append('patchbay', 'warn', `It refused ${OLD}.`)
    held.resolve(undefined)
    await untilKind(server, 'degraded')
    await report()
    await until(() => reported().length === 3)
    log.append('patchbay', 'warn', `It refused ${OLD}, not ${NEW}.`)
    expect(reported()).toEqual([MASKED, MASKED, MASKED])
    expect(lines()).toContain('It refused ••••••••, not ••••••••.')
    expect(lines().join()).not.toContain('key-of-the-team')
  })

  it('is masked like the new one once the new session is Ready', async () => {
    const { server, lines, next, reported, report } = open()
    server.start()
    await untilKind(server, 'ready')
    const before = server.session
    Object.assign(next, { key: NEW })
    server.reconnect()
    await until(() => server.session !== before && server.reconnecting === undefined)
    await report()
    await until(() => reported().length === 3)
    expect(reported()).toEqual([MASKED, MASKED, MASKED])
    expect(lines().join()).not.toContain('key-of-the-team')
  })
})
