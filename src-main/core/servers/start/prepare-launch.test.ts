import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../../../e2e/fixtures/fixture-server'
import { Harness } from '../../../../e2e/fixtures/harness'
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

const unserved = (host: string): object => ({
  code: 'UNSUPPORTED_TRANSPORT',
  message: `The entry’s address, ${host}, isn’t this computer.`,
})
const INVALID_HEADER = {
  code: 'INVALID_VALUES',
  message: 'Not connected: the header "X-Key" is invalid.',
}

describe('C10: a package that serves HTTP', () => {
  const type = 'streamable-http'
  const url = 'http://127.0.0.1:1/mcp'
  const headersOf = (value: string): object => ({ headers: [{ name: 'X-Key', value }] })

  it.each<[string, object, object]>([
    ['elsewhere', { type, url: 'http://10.0.0.7:1/mcp' }, unserved('10.0.0.7:1')],
    [
      'at a similar name',
      { type, url: 'http://127.0.0.1.a.example/' },
      unserved('127.0.0.1.a.example'),
    ],
    ['with a password', { type, url: 'http://u:hunter2@127.0.0.1/' }, { code: 'INVALID_VALUES' }],
    ['at a file', { type: 'sse', url: 'file:///tmp/mcp' }, { code: 'INVALID_VALUES' }],
    [
      'with a header of two lines',
      { type, url, ...headersOf('hunter2\nX-Own: 1') },
      INVALID_HEADER,
    ],
    ['with a header beyond Latin-1', { type, url, ...headersOf('hunter2 ✓') }, INVALID_HEADER],
  ])('is not started if it serves %s', async (_where, transport, failure) => {
    const harness = stack.adopt(new Harness(), (one) => one.close())
    const server = fixtureServer('noisy.mjs') as { packages: object[] }
    const packages = server.packages.map((one) => ({ ...one, transport }))
    const id = await harness.install({ ...server, packages })
    const { status, phases } = await harness.until(id, 'error')
    expect(status).toMatchObject(failure)
    expect(phases.map(({ phase }) => phase)).toEqual(['resolve'])
    expect(JSON.stringify([status, await harness.log(id)])).not.toContain('hunter2')
  })
})
