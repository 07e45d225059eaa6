import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { OddProvider } from '../../../e2e/fixtures/odd-provider'
import type { SignInStep } from '../../../src-shared/domain/running/sign-in'
import type { SessionAuth } from '../mcp/connections/remote-fetch'
import { memoryBackend } from '../secrets/secret-vault'
import { SignIn } from './sign-in'
import { SignInStore } from './sign-in-record'

const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'
const PAGE = { body: '<!doctype html><title>App</title>' }

let provider: OddProvider
let signIn: SignIn
let auth: SessionAuth
let time: ManualClock
let lost: number
let secrets: ReturnType<typeof memoryBackend>
let isOver: PromiseWithResolvers<undefined>

beforeEach(async () => {
  provider = await OddProvider.open()
  time = new ManualClock()
  secrets = memoryBackend()
  lost = 0
  isOver = Promise.withResolvers()
  signIn = new SignIn({
    installationId: 'one',
    secrets,
    fetch,
    time,
    clientMetadataUrl: () => '',
    onEvent: ({ kind }) => {
      if (kind === 'lost') lost += 1
      if (kind === 'signedIn' || signIn.view?.kind === 'failed') isOver.resolve(undefined)
    },
  })
  auth = signIn.open(new URL(provider.url), { onSecrets: () => undefined })
})
afterEach(async () => {
  signIn[Symbol.dispose]()
  await provider[Symbol.asyncDispose]()
})

/** Signs in up to the authorization page. */
async function begin(): Promise<Extract<SignInStep, { kind: 'ask' }>> {
  const step = await signIn.begin(undefined)
  if (step.kind !== 'ask') throw new Error(`isn’t allowed: ${JSON.stringify(step)}`)
  return step
}

/** Completes the sign-in as a user would; resolves to the token. */
async function signedIn(): Promise<string | undefined> {
  await fetch((await begin()).address)
  await isOver.promise
  expect(signIn.view).toBeUndefined()
  return auth.token()
}

/** Replaces the token of a rejected request, as a session does. */
async function unauthorized(): Promise<void> {
  const response = new Response(null, { status: 401 })
  auth.countRejected(response, `Bearer ${(await auth.token()) ?? ''}`)
  await auth.onUnauthorized({ response, serverUrl: new URL(provider.url), fetchFn: fetch })
}

describe('F4: authorization server metadata', () => {
  it.each([
    ['a web page', () => PAGE],
    ['a 503', () => ({ status: 503, body: 'no' })],
    ['JSON without an issuer', () => ({ body: { title: 'App' } })],
    ['metadata of another issuer', () => ({ body: provider.metadata() })],
  ])('is found at the last address if the earlier ones answer %s', async (_title, answer) => {
    const issuer = `${provider.origin}/tenant`
    provider.name(issuer)
    provider.routes[`${OAUTH}/tenant`] = answer
    provider.routes[`${OPENID}/tenant`] = answer
    provider.routes[`/tenant${OPENID}`] = () => ({ body: provider.metadata(issuer) })
    expect(await signedIn()).toMatch(/^access-/u)
  })

  it('that is missing everywhere is reported with every address and its response', async () => {
    provider.name(`${provider.origin}/tenant`)
    provider.routes[`${OAUTH}/tenant`] = () => PAGE
    provider.routes[`${OPENID}/tenant`] = () => ({ status: 503 })
    const { origin } = provider
    await expect(begin()).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: `Can’t find sign-in information for ${new URL(origin).host}.`,
      hint: expect.stringMatching(
        [
          `${origin}${OAUTH}/tenant: 200, but not a JSON object \\(text/html\\)\\.`,
          `${origin}${OPENID}/tenant: 503\\.`,
          `${origin}/tenant${OPENID}: 404\\.`,
          `${origin}/tenant${OAUTH}: 404\\.`,
        ].join('\n'),
      ) as string,
    })
    expect(provider.sent('/register')).toEqual([])
  })

  it("is found if the server's metadata lies at its root behind a web page", async () => {
    provider.routes['/.well-known/oauth-protected-resource/mcp'] = () => PAGE
    const issuer = `${provider.origin}/tenant`
    const body = { resource: provider.url, authorization_servers: [issuer] }
    provider.routes['/.well-known/oauth-protected-resource'] = () => ({ body })
    provider.routes[`${OAUTH}/tenant`] = () => ({ body: provider.metadata(issuer) })
    expect(await signedIn()).toMatch(/^access-/u)
  })
})

describe('F4: an issuer with a trailing slash', () => {
  /** The authorization page redirects with this issuer in its response (RFC 9207). */
  function answersAs(iss: string): void {
    provider.routes['/authorize'] = ({ form }) => {
      const back = new URL(form.get('redirect_uri') ?? '')
      const state = form.get('state') ?? ''
      back.search = new URLSearchParams({ code: 'a-code', state, iss }).toString()
      return { status: 302, headers: { location: back.href } }
    }
  }

  it.each([
    ['in the metadata of the issuer only', '', '/'],
    ['in the metadata of the server only', '/', ''],
  ])(
    'is the same issuer %s, also in the response and at the refresh',
    async (_title, named, own) => {
      const { origin } = provider
      provider.name(`${origin}${named}`)
      provider.routes[OAUTH] = () => ({ body: provider.metadata(`${origin}${own}`) })
      answersAs(`${origin}${own}`)
      const first = await signedIn()
      time.pass(3_600_000)
      expect(await auth.token()).not.toBe(first)
    },
  )

  it('is another issuer if the path differs: the error names both without suspecting a theft', async () => {
    const { origin } = provider
    provider.name(`${origin}/tenant`)
    provider.routes[`${OAUTH}/tenant`] = () => ({ body: provider.metadata(`${origin}/tenant/`) })
    await expect(begin()).rejects.toMatchObject({
      message: expect.stringContaining(
        `expected "${origin}/tenant", received "${origin}/tenant/"`,
      ) as string,
      hint: expect.not.stringContaining('another server') as string,
    })
  })

  it('rejects another issuer in the response if its own metadata names none, and names both', async () => {
    const { origin } = provider
    answersAs(`${origin}/`)
    await fetch((await begin()).address)
    await isOver.promise
    expect(signIn.view).toMatchObject({
      message: expect.stringContaining(`expected "${origin}", received "${origin}/"`) as string,
      hint: expect.not.stringContaining('another server') as string,
    })
  })

  it('warns of theft if the issuer has another origin', async () => {
    provider.routes[OAUTH] = () => ({ body: provider.metadata('https://elsewhere.test') })
    await expect(begin()).rejects.toMatchObject({
      message: expect.stringContaining(`received "https://elsewhere.test"`) as string,
      hint: expect.stringContaining('steal your sign-in') as string,
    })
  })
})

describe('F4: client registration', () => {
  /** A server that supports one authentication method, and whose tokens need the secret. */
  function takesOnly(method: string, supported: readonly string[] | undefined): void {
    provider.routes[OAUTH] = () => ({
      body: { ...provider.metadata(), token_endpoint_auth_methods_supported: supported },
    })
    provider.routes['/register'] = ({ body }) => {
      const asked = JSON.parse(body) as Record<string, unknown>
      if (asked.token_endpoint_auth_method !== method)
        return { status: 400, body: { error: 'invalid_client_metadata' } }
      return { status: 201, body: { ...asked, client_id: 'a-client', client_secret: 'a-secret' } }
    }
    provider.routes['/token'] = ({ form }) =>
      form.get('client_secret') === 'a-secret'
        ? undefined
        : { status: 401, body: { error: 'invalid_client' } }
  }

  it('requests a supported method, and sends the secret at the refresh', async () => {
    takesOnly('client_secret_post', ['private_key_jwt', 'client_secret_post'])
    const first = await signedIn()
    expect(provider.sent('/register')).toHaveLength(1)
    time.pass(3_600_000)
    expect(await auth.token()).not.toBe(first)
    expect(provider.refreshes.at(-1)?.get('client_secret')).toBe('a-secret')
    const kept = await new SignInStore(secrets, 'one').read()
    expect(kept.signedIn?.client).toMatchObject({ client_secret: 'a-secret' })
  })

  it('retries once with the next method if the client metadata is rejected', async () => {
    takesOnly('client_secret_post', undefined)
    expect(await signedIn()).toMatch(/^access-/u)
    const methods = provider
      .sent('/register')
      .map(({ body }) => (JSON.parse(body) as Record<string, unknown>).token_endpoint_auth_method)
    expect(methods).toEqual(['none', 'client_secret_post'])
  })

  it("leads to the client form with the server's message if it stays rejected", async () => {
    provider.routes['/register'] = () => ({
      status: 400,
      body: { error: 'invalid_client_metadata', error_description: 'No one gets in.' },
    })
    expect(await signIn.begin(undefined)).toMatchObject({
      kind: 'clientNeeded',
      providerMessage: 'Server message: invalid_client_metadata: No one gets in.',
    })
    expect(provider.sent('/register')).toHaveLength(2)
  })
})

describe('F1: null and "" in sign-in responses', () => {
  it('count as absent in metadata, registration, token and refresh', async () => {
    const nulls = { scope: null, id_token: '', refresh_expires_in: null }
    provider.routes['/.well-known/oauth-protected-resource/mcp'] = () => ({
      body: {
        ...{ resource: provider.url, authorization_servers: [provider.origin] },
        ...{ scopes_supported: null, resource_name: '', jwks_uri: null },
      },
    })
    provider.routes[OAUTH] = () => ({
      body: {
        ...provider.metadata(),
        ...{ service_documentation: '', scopes_supported: null, revocation_endpoint: null },
      },
    })
    provider.routes['/register'] = ({ body }) => ({
      status: 201,
      body: {
        ...(JSON.parse(body) as object),
        ...{ client_id: 'a-client', client_secret: null, client_secret_expires_at: null },
        ...{ logo_uri: null, client_uri: '', scope: null, contacts: null },
      },
    })
    provider.routes['/token'] = () => ({
      body: { ...provider.grant(), ...nulls, token_type: null, expires_in: '3600' },
    })
    const first = await signedIn()
    time.pass(3_600_000)
    provider.routes['/token'] = () => ({
      body: { ...provider.grant(), ...nulls, refresh_token: null, expires_in: null },
    })
    expect(await auth.token()).not.toBe(first)
    time.pass(3_600_000)
    await unauthorized()
    // The previous refresh token stays if no new one comes.
    const used = provider.refreshes.map((form) => form.get('refresh_token'))
    expect(used).toEqual([used[0], used[0]])
    expect([signIn.isSignedIn, lost]).toEqual([true, 0])
  })

  it('and members of the wrong type break neither registration nor token', async () => {
    const odd = { scope: ['a', 'b'], token_type: 5, id_token: {}, created_at: 'today' }
    const client = { client_id: 'a-client', client_uri: 'x', contacts: 'me', jwks: [null] }
    provider.routes['/register'] = () => ({ status: 201, body: client })
    provider.routes['/token'] = () => ({ body: { ...provider.grant(), ...odd } })
    expect(await signedIn()).toMatch(/^access-/u)
    const { signedIn: kept } = await new SignInStore(secrets, 'one').read()
    expect(kept).toMatchObject({ scope: 'a b', client: { client_id: 'a-client' } })
    provider.routes['/token'] = () => ({ body: { ...provider.grant(), refresh_token: [] } })
    time.pass(3_600_000)
    expect(await auth.token()).toMatch(/^access-/u)
  })

  it('leave the error of a rejected registration readable', async () => {
    provider.routes['/token'] = () => ({
      status: 400,
      body: { error: 'invalid_scope', error_description: null },
    })
    await fetch((await begin()).address)
    await isOver.promise
    expect(signIn.view).toMatchObject({
      message: expect.stringContaining('invalid_scope') as string,
    })
  })
})

describe('F4: the sign-in offer', () => {
  const accept = (token: string | undefined): void => auth.recordAccepted(`Bearer ${token ?? ''}`)

  it('appears with a rejected request and stays until another token is accepted', async () => {
    const first = await signedIn()
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="write"' }
    auth.countRejected(new Response(null, { status: 403, headers }), `Bearer ${first ?? ''}`)
    accept(first)
    expect(signIn.offer?.message).toContain('more permissions')
    accept('another')
    expect(signIn.offer).toBeUndefined()
  })

  it('appears if the replacement of a rejected token is rejected too', async () => {
    await signedIn()
    await unauthorized()
    expect(signIn.offer).toBeUndefined()
    auth.countRejected(new Response(null, { status: 401 }), `Bearer ${(await auth.token()) ?? ''}`)
    expect(signIn.offer?.message).toContain('requires sign-in')
  })

  it("doesn't appear if a renewed token worked before it expired: the next one is requested", async () => {
    await signedIn()
    await unauthorized()
    const second = await auth.token()
    accept(second)
    await unauthorized()
    expect(signIn.offer).toBeUndefined()
    expect(await auth.token()).not.toBe(second)
    expect(provider.refreshes).toHaveLength(2)
  })

  it("appears if the server's own error speaks of a token renewed just now; later the token is renewed", async () => {
    await signedIn()
    expect(await auth.renew()).toBe(true)
    accept(await auth.token())
    await expect(auth.renew()).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' })
    expect(signIn.offer).toBeDefined()
    time.pass(60_000)
    expect(await auth.renew()).toBe(true)
    expect(provider.refreshes).toHaveLength(2)
  })

  it('ends with the next session, which may have a key that the user typed', async () => {
    await expect(unauthorized()).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' })
    expect(signIn.offer).toBeDefined()
    signIn.open(new URL(provider.url), { onSecrets: () => undefined })
    expect(signIn.offer).toBeUndefined()
  })
})

describe('F4: token refresh', () => {
  it.each([
    ['invalid_target', { error: 'invalid_target' }],
    ['invalid_request', { error: 'invalid_request', error_description: 'unknown: resource' }],
    ['no OAuth error', 'Bad request'],
  ])('retries once without resource if rejected with %s', async (_title, body) => {
    const first = await signedIn()
    provider.routes['/token'] = ({ form }) =>
      form.has('resource') ? { status: 400, body } : undefined
    time.pass(3_600_000)
    const second = await auth.token()
    expect(second).not.toBe(first)
    expect(provider.refreshes.map((form) => form.has('resource'))).toEqual([true, false])
    expect([signIn.isSignedIn, lost]).toEqual([true, 0])
  })

  it('keeps the sign-in if the client is rejected, and says what to do', async () => {
    await signedIn()
    provider.routes['/token'] = () => ({ status: 401, body: { error: 'invalid_client' } })
    time.pass(3_600_000)
    await expect(auth.token()).rejects.toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: expect.stringMatching(/couldn’t be renewed \(invalid_client\)/u) as string,
    })
    expect([signIn.isSignedIn, lost]).toEqual([true, 0])
    expect(signIn.offer?.message).toContain('invalid_client')
  })

  it('forgets the sign-in for invalid_grant, and says so in later requests', async () => {
    await signedIn()
    provider.routes['/token'] = () => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The account was closed.' },
    })
    await expect(unauthorized()).rejects.toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: expect.stringMatching(/no longer accepted \(invalid_grant\)/u) as string,
      hint: 'Sign in again. Server message: The account was closed.',
    })
    expect([signIn.isSignedIn, lost, provider.refreshes.length]).toEqual([false, 1, 1])
    await expect(unauthorized()).rejects.toMatchObject({
      message: expect.stringContaining('no longer accepted') as string,
    })
    expect((await new SignInStore(secrets, 'one').read()).signedIn).toBeUndefined()
  })

  it('names the address, not the parser, if an error page answers', async () => {
    await signedIn()
    provider.routes['/token'] = () => ({ status: 502, body: '<html>Bad gateway</html>' })
    time.pass(3_600_000)
    await expect(auth.token()).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: `${provider.origin}/token returned 502 without an OAuth error.`,
    })
    expect(signIn.isSignedIn).toBe(true)
  })
})
