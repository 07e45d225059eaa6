import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type Answer, OlderRemote, status } from '../../../../e2e/fixtures/older-remote'
import { Supervisors } from '../../../../e2e/fixtures/supervisors'

let stack: AsyncDisposableStack
beforeEach(() => (stack = new AsyncDisposableStack()))
afterEach(() => stack.disposeAsync())

/** One that is Ready, and from then on answers everything as `answer` does. */
async function open(answer: Answer, methods: readonly string[]) {
  const supervisors = stack.use(new Supervisors())
  const remote = stack.use(await OlderRemote.open())
  const { server } = supervisors.open({
    remote: { url: remote.url },
    settings: { healthMs: 1_000 },
  })
  server.start()
  await expect.poll(() => server.status.kind).toBe('ready')
  for (const method of methods) remote.answers[method] = answer
  return { remote, server }
}

const ALL = ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover']

describe('B11 the health check over HTTP', () => {
  it('misses an answer where only a proxy before the server speaks', async () => {
    const { server } = await open(status(502, '<html>Bad gateway</html>', 'text/html'), ALL)
    await expect.poll(() => server.status.kind).toBe('degraded')
    expect(server.status).toMatchObject({
      warnings: [expect.stringContaining('No response to the last health check')],
    })
    await expect
      .poll(() => JSON.stringify(server.status), { timeout: 15_000 })
      .toContain('last 3 health checks')
  })

  it('has its answer where the server refuses it without a word', async () => {
    const { remote, server } = await open(status(400), ['ping'])
    await expect.poll(() => remote.count('ping'), { timeout: 15_000 }).toBeGreaterThan(3)
    expect([server.status.kind, remote.count('initialize')]).toEqual(['ready', 1])
  })

  it('ends in the wish for a sign-in where nothing else is answered any more', async () => {
    const { remote, server } = await open(status(401, 'No'), ALL)
    await expect.poll(() => server.status.kind).toBe('signInNeeded')
    expect(server.status).toMatchObject({ host: remote.url.host })
    expect(server.session).toBeUndefined()
  })
})
