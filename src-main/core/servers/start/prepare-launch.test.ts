import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { SseServer } from '../../../../e2e/fixtures/sse-server'
import { Profile, untilConnected } from '../../../../e2e/fixtures/tools-harness'
import { addressOf } from './prepare-launch'

const at = (value: string) => () =>
  addressOf({
    value,
    shown: value,
    fingerprint: value,
    secret: false,
    origin: { kind: 'you', label: '' },
  })

let stack: AsyncDisposableStack
beforeEach(() => (stack = new AsyncDisposableStack()))
afterEach(() => stack.disposeAsync())

describe('C10: the transport of a remote server', () => {
  it('that worked is tried first by the next start, also in a later run of the app', async () => {
    const remote = stack.use(await SseServer.open())
    const profile = stack.adopt(new Profile(), (one) => one.close())
    /** The first request of the newest start: the older transport begins with GET. */
    const first = (): string | undefined => remote.requests.splice(0)[0]?.method

    const harness = profile.open()
    const installationId = await harness.install(
      {
        ...{ name: 'test.fixture/far', description: 'Elsewhere.', version: '1.0.0' },
        remotes: [{ type: 'streamable-http', url: remote.url }],
      },
      { offer: { kind: 'remote', index: 0 } },
    )
    await untilConnected(harness, installationId)
    expect([first(), remote.opened]).toEqual(['POST', 1])

    await harness.call('server.restart', { installationId })
    await expect.poll(() => remote.opened).toBe(2)
    await untilConnected(harness, installationId)
    expect(first()).toBe('GET')

    await harness.patchbay.close()
    remote.requests.splice(0)
    await untilConnected(profile.open(), installationId)
    expect([first(), remote.opened]).toEqual(['GET', 3])
  })
})

describe('C10: the address of a remote server', () => {
  it.each(['https://example.com/mcp', 'http://127.0.0.1:8080'])('may be %s', (value) => {
    expect(at(value)().href).toContain(value)
  })

  it.each(['example.com', 'ftp://example.com', ''])('cannot be "%s"', (value) => {
    expect(at(value)).toThrow('isn’t a URL')
  })

  it.each([
    'https://user:hunter2@example.com/mcp',
    'https://token@example.com',
    'https://:pw@example.com',
  ])("may not contain credentials, and the error doesn't repeat those of %s", (value) => {
    expect(at(value)).toThrow(
      'Not connected: the URL of example.com contains a user name or password.',
    )
  })
})
