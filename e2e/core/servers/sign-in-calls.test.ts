import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { type ConnectedAgent, GatewayHarness } from '../../fixtures/gateway-harness'
import { OddProvider } from '../../fixtures/odd-provider'

const META = '/meta/resource.json'

let bench: GatewayHarness
let provider: OddProvider

beforeEach(async () => {
  provider = await OddProvider.open()
  bench = await new GatewayHarness().open()
})
afterEach(async () => {
  await bench.close()
  await provider[Symbol.asyncDispose]()
})

const install = (): Promise<string> =>
  bench.harness.install(provider.entry, { name: 'Files', offer: { kind: 'remote', index: 0 } })

async function connect(name = 'Anna'): Promise<ConnectedAgent> {
  const { key } = await bench.addAgent(name)
  return bench.connect(key, 'sessions')
}

/** The text of a call's result, or its error. */
function callOf({ ask }: ConnectedAgent): Promise<unknown> {
  return ask('tools/call', { name: 'Files__read_file', arguments: {} }).then(
    ({ content }) => content,
    (error: unknown) => (error as Error).message,
  )
}

const SIGNED_IN = [{ type: 'text', text: 'signed in' }]

/** Goes through a sign-in like a user, without waiting for its end; returns the authorization page's parameters. */
async function signIn(id: string): Promise<URLSearchParams> {
  const step = await bench.harness.call('signIn.begin', { installationId: id })
  if (step.kind !== 'ask') throw new Error(`isn’t allowed: ${JSON.stringify(step)}`)
  expect((await fetch(step.address)).status).toBe(200)
  return new URL(step.address).searchParams
}

/** A rejected request of the current session; returns its error. */
function rejectedCall(id: string): Promise<unknown> {
  const call = { name: 'read_file', arguments: {} }
  return bench.harness
    .session(id)
    .request('tools/call', call)
    .catch((error: unknown) => error)
}

async function untilView(id: string, of: (view: ServerView) => unknown, is: unknown) {
  await expect.poll(async () => of(await bench.harness.view(id))).toEqual(is)
}

describe('F4: a server that requires a sign-in only for calls', () => {
  beforeEach(() => {
    provider.guards = 'calls'
  })

  it('stays Ready and offers the sign-in, after which the next call works without a restart', async () => {
    const id = await install()
    await bench.harness.until(id, 'ready')
    expect((await bench.harness.view(id)).signInOffer).toBeUndefined()
    const agent = await connect()
    expect(await callOf(agent)).toMatch(
      /^Sign-in required: .+ requires sign-in \(401\)\. Ask the user to open Patchbay and sign in to Files\. Then call again\.$/u,
    )
    const { status, signInOffer } = await bench.harness.view(id)
    expect(status.kind).toBe('ready')
    expect(signInOffer?.message).toContain('requires sign-in')
    await expect(agent.ask('tools/list')).resolves.toMatchObject({ tools: [{}] })
    await signIn(id)
    await expect.poll(() => callOf(agent)).toEqual(SIGNED_IN)
    const after = await bench.harness.view(id)
    expect([after.signInOffer, after.restarts, after.status.kind]).toEqual([undefined, 0, 'ready'])
  })

  it('has one offer and one sign-in for all calling agents', async () => {
    const id = await install()
    await bench.harness.until(id, 'ready')
    const agents = [await connect('Anna'), await connect('Ben'), await connect('Cleo')]
    for (const said of await Promise.all(agents.map(callOf)))
      expect(said).toContain('Sign-in required')
    const begin = () => bench.harness.call('signIn.begin', { installationId: id })
    const [one, other] = await Promise.all([begin(), begin()])
    expect(other).toEqual(one)
    await signIn(id)
    await expect
      .poll(() => Promise.all(agents.map(callOf)))
      .toEqual([...[SIGNED_IN, SIGNED_IN, SIGNED_IN]])
    expect(provider.sent('/register')).toHaveLength(1)
  })

  it('continues when the sign-in is lost, and offers another one', async () => {
    const id = await install()
    await bench.harness.until(id, 'ready')
    await signIn(id)
    await untilView(id, ({ signedIn }) => signedIn, true)
    const agent = await connect()
    provider.expireAll()
    provider.routes['/token'] = () => ({ status: 400, body: { error: 'invalid_grant' } })
    expect(await callOf(agent)).toMatch(/no longer accepted \(invalid_grant\)/u)
    await untilView(id, ({ signedIn }) => signedIn === true, false)
    const { status, signInOffer } = await bench.harness.view(id)
    expect([status.kind, signInOffer?.message]).toEqual([
      'ready',
      expect.stringContaining('no longer accepted'),
    ])
    delete provider.routes['/token']
    await signIn(id)
    await expect.poll(() => callOf(agent)).toEqual(SIGNED_IN)
  })
})

describe('F4: a sign-in lost during calls', () => {
  it('ends them, and the status, with SIGN_IN_NEEDED and the reason', async () => {
    const id = await install()
    await bench.harness.until(id, 'signInNeeded')
    await signIn(id)
    await bench.harness.until(id, 'ready')
    // One call hangs at the server while another is rejected.
    let isHeld = true
    provider.hold = ({ body }) => isHeld && body.includes('tools/call')
    const inFlight = rejectedCall(id)
    await expect.poll(() => provider.held).toBe(1)
    isHeld = false
    provider.expireAll()
    provider.routes['/token'] = () => ({ status: 400, body: { error: 'invalid_grant' } })
    const reason = {
      code: 'SIGN_IN_NEEDED',
      message: expect.stringMatching(/no longer accepted \(invalid_grant\)/u) as string,
    }
    expect(await rejectedCall(id)).toMatchObject(reason)
    expect(await inFlight).toMatchObject(reason)
    const { status } = await bench.harness.until(id, 'signInNeeded')
    expect(status).toMatchObject({ message: reason.message })
  })
})

describe('F4: challenges of other schemes before the bearer challenge', () => {
  it("don't hide the metadata's address", async () => {
    const { origin } = provider
    provider.routes['/.well-known/oauth-protected-resource/mcp'] = () => ({ status: 404 })
    provider.routes[META] = () => ({
      body: { resource: provider.url, authorization_servers: [`${origin}/tenant`] },
    })
    provider.routes['/.well-known/oauth-authorization-server'] = () => ({ status: 404 })
    const tenant = provider.metadata(`${origin}/tenant`)
    provider.routes['/.well-known/oauth-authorization-server/tenant'] = () => ({ body: tenant })
    const bearer = `Bearer realm="a, b", resource_metadata = "${origin}${META}"`
    provider.challenges = () => ['Negotiate', 'Basic realm="proxy"', bearer]
    const id = await install()
    await bench.harness.until(id, 'signInNeeded')
    expect((await signIn(id)).get('resource')).toBe(provider.url)
    await bench.harness.until(id, 'ready')
  })

  it("don't hide that a call needs more scopes", async () => {
    const id = await install()
    await bench.harness.until(id, 'signInNeeded')
    await signIn(id)
    await bench.harness.until(id, 'ready')
    const bearer = 'Bearer error = "insufficient_scope", scope="files:write"'
    provider.routes['/mcp'] = ({ body }) =>
      body.includes('tools/call')
        ? { status: 403, headers: { 'www-authenticate': ['Negotiate', bearer] } }
        : undefined
    expect(await rejectedCall(id)).toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: expect.stringContaining('more permissions') as string,
    })
    const view = await bench.harness.view(id)
    expect([view.status.kind, view.signInOffer?.message]).toEqual([
      'ready',
      expect.stringContaining('more permissions'),
    ])
    delete provider.routes['/mcp']
    expect((await signIn(id)).get('scope')).toBe('files:write')
    await untilView(id, ({ signInOffer }) => signInOffer, undefined)
  })
})

describe('F4: an expired token, as servers report it', () => {
  /** The response in place of 401, as different servers send it. */
  const REFUSALS: readonly [string, (id: number | undefined) => object][] = [
    [
      '403 with a challenge',
      () => ({
        status: 403,
        headers: { 'www-authenticate': ['Bearer error="invalid_token"'] },
      }),
    ],
    ['400 with an OAuth error', () => ({ status: 400, body: { error: 'invalid_token' } })],
    [
      '500 with words',
      () => ({
        status: 500,
        body: { error: 'server_error', error_description: 'The access token expired' },
      }),
    ],
    [
      '200 with a JSON-RPC error',
      (id) => ({
        body: { jsonrpc: '2.0', id, error: { code: -32_001, message: 'Access token expired' } },
      }),
    ],
  ]

  async function signedIn(): Promise<string> {
    const id = await install()
    await bench.harness.until(id, 'signInNeeded')
    await signIn(id)
    await bench.harness.until(id, 'ready')
    return id
  }

  it.each(REFUSALS)('causes one refresh and one retry: %s', async (_how, refusal) => {
    const id = await signedIn()
    provider.refusal = refusal
    const agent = await connect()
    expect(await callOf(agent)).toEqual(SIGNED_IN)
    provider.expireAll()
    expect(await callOf(agent)).toEqual(SIGNED_IN)
    expect(provider.refreshes).toHaveLength(1)
    expect((await bench.harness.view(id)).status.kind).toBe('ready')
  })

  it.each(REFUSALS)(
    'requires a sign-in if the next token is rejected too: %s',
    async (_how, refusal) => {
      const id = await signedIn()
      provider.refusal = refusal
      provider.routes['/token'] = () => {
        const body = provider.grant()
        provider.expireAll()
        return { body }
      }
      provider.expireAll()
      const agent = await connect()
      expect(await callOf(agent)).toContain('Sign-in required')
      // The status follows, whatever pings say.
      await bench.harness.until(id, 'signInNeeded')
      expect((await bench.harness.view(id)).signedIn).toBe(true)
    },
  )

  it('is not confused with missing scopes, or with a failed result', async () => {
    await signedIn()
    const agent = await connect()
    provider.routes['/mcp'] = ({ body }) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      if (method !== 'tools/call') return undefined
      const content = [{ type: 'text', text: 'Access token expired' }]
      return { body: { jsonrpc: '2.0', id, result: { content, isError: true } } }
    }
    expect(await callOf(agent)).toEqual([{ type: 'text', text: 'Access token expired' }])
    provider.routes['/mcp'] = () => ({ status: 403, body: { error: 'You lack this permission.' } })
    expect(await callOf(agent)).toContain('403')
    expect(provider.refreshes).toHaveLength(0)
  })
})
