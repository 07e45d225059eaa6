import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { OddProvider } from '../../../e2e/fixtures/odd-provider'
import type { SignInStep, TypedClient } from '../../../src-shared/domain/running/sign-in'
import type { SessionAuth } from '../mcp/connections/remote-fetch'
import { memoryBackend } from '../secrets/secret-vault'
import { SignIn } from './sign-in'

const OAUTH = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource/mcp'

let provider: OddProvider
let signIn: SignIn
let auth: SessionAuth
let time: ManualClock
let lost: number
let logged: string[]
let secrets: ReturnType<typeof memoryBackend>
let end: PromiseWithResolvers<undefined>

function open(): void {
  end = Promise.withResolvers()
  signIn = new SignIn({
    installationId: 'one',
    secrets,
    fetch,
    time,
    clientMetadataUrl: () => '',
    onEvent: (event) => {
      if (event.kind === 'log') logged.push(event.text)
      if (event.kind === 'lost') lost += 1
      if (event.kind === 'signedIn' || signIn.view?.kind === 'failed') end.resolve(undefined)
    },
  })
  auth = signIn.open(new URL(provider.url), { onSecrets: () => undefined })
}

beforeEach(async () => {
  provider = await OddProvider.open()
  time = new ManualClock()
  secrets = memoryBackend()
  lost = 0
  logged = []
  open()
})
afterEach(async () => {
  signIn[Symbol.dispose]()
  await provider[Symbol.asyncDispose]()
})

async function begin(client?: TypedClient, scopes?: string): Promise<string> {
  end = Promise.withResolvers()
  const step = await signIn.begin(client, scopes)
  if (step.kind !== 'ask') throw new Error(`The sign-in has another step: ${JSON.stringify(step)}`)
  return step.address
}

/** Completes the sign-in as a user would; resolves to the last page in the browser. */
async function finish(client?: TypedClient, scopes?: string): Promise<string> {
  const page = await fetch(await begin(client, scopes))
  const text = await page.text()
  await end.promise
  return text
}

const formsTo = (path: string): Record<string, string>[] =>
  provider.sent(path).map(({ form }) => Object.fromEntries(form))
/** Parameters of each authorization page so far. */
const pages = (): Record<string, string>[] => formsTo('/authorize')
/** Forms of each token request so far. */
const tokenRequests = (): Record<string, string>[] => formsTo('/token')

/** Makes the authorization page redirect with this response. */
function answersWith(form: URLSearchParams, answer: Record<string, string>): object {
  const back = new URL(form.get('redirect_uri') ?? '')
  back.search = new URLSearchParams({ ...answer, state: form.get('state') ?? '' }).toString()
  return { status: 302, headers: { location: back.href } }
}

function describeIssuer(more: object): void {
  provider.routes[OAUTH] = () => ({ body: { ...provider.metadata(), ...more } })
}

function describeResource(more: object): void {
  const body = { resource: provider.url, authorization_servers: [provider.origin], ...more }
  provider.routes[RESOURCE] = () => ({ body })
}

/** Reports the challenge of a rejected request, as a session does. */
async function rejectedWith(status: number, challenge: string): Promise<void> {
  const response = new Response(null, { status, headers: { 'www-authenticate': challenge } })
  auth.countRejected(response, `Bearer ${(await auth.token()) ?? ''}`)
}

describe('F4: an issuer that rejects the resource parameter', () => {
  it.each([
    ['invalid_target', 'AADSTS9010010: The resource does not match.'],
    ['invalid_request', 'Unknown parameter: resource'],
  ])(
    'at the page with %s: asks once more without resource, and omits it the next time',
    async (error, words) => {
      describeResource({ scopes_supported: ['api://9f/access'] })
      provider.routes['/authorize'] = ({ form }) =>
        form.has('resource') ? answersWith(form, { error, error_description: words }) : undefined
      expect(await finish()).toContain('<h1>Signed in</h1>')
      expect(pages().map((page) => [page.resource, page.scope])).toEqual([
        [provider.url, 'api://9f/access'],
        [undefined, 'api://9f/access'],
      ])
      expect(new Set(pages().map(({ state }) => state)).size).toBe(2)
      expect(new Set(pages().map((page) => page.code_challenge)).size).toBe(2)
      expect(provider.sent('/register')).toHaveLength(1)
      // The issuer is also remembered after a restart and at the refresh.
      open()
      await finish()
      time.pass(3_600_000)
      await auth.token()
      expect(pages()).toHaveLength(3)
      expect(tokenRequests().map(({ resource }) => resource)).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    },
  )

  it('at the token endpoint: sends the same code without resource', async () => {
    provider.routes['/token'] = ({ form }) =>
      form.has('resource') ? { status: 400, body: { error: 'invalid_target' } } : undefined
    expect(await finish()).toContain('<h1>Signed in</h1>')
    expect(pages()).toHaveLength(1)
    expect(tokenRequests().map(({ resource, code }) => [resource, code])).toEqual([
      [provider.url, tokenRequests()[0]?.code],
      [undefined, tokenRequests()[0]?.code],
    ])
  })

  it.each(['access_denied', 'invalid_client', 'invalid_request'])(
    "doesn't retry the page for %s",
    async (error) => {
      provider.routes['/authorize'] = ({ form }) => answersWith(form, { error })
      expect(await finish()).toContain('<h1>Not signed in</h1>')
      expect(pages()).toHaveLength(1)
      expect(signIn.view?.kind).toBe('failed')
    },
  )

  it('opens at most two pages', async () => {
    provider.routes['/authorize'] = ({ form }) => answersWith(form, { error: 'invalid_target' })
    expect(await finish()).toContain('<h1>Not signed in</h1>')
    expect(pages()).toHaveLength(2)
  })
})

describe('F4: the page in the browser', () => {
  it("shows the provider's reason for a rejected sign-in", async () => {
    provider.routes['/authorize'] = ({ form }) =>
      answersWith(form, { error: 'access_denied', error_description: '<b>Not you.</b>' })
    const page = await finish()
    expect(page).toContain('<h1>Not signed in</h1>')
    expect(page).toContain('&lt;b>Not you.')
  })

  it('shows a failed token exchange', async () => {
    provider.routes['/token'] = () => ({ status: 400, body: { error: 'invalid_scope' } })
    const page = await finish()
    expect(page).toContain('<h1>Not signed in</h1>')
    expect(page).toContain('invalid_scope')
  })
})

describe('F4: client redirects', () => {
  /** An issuer without registration, whose page rejects any other redirect. */
  function registersNone(redirect: string): void {
    describeIssuer({ registration_endpoint: undefined })
    provider.routes['/authorize'] = ({ form }) =>
      form.get('redirect_uri') === redirect ? undefined : { status: 400, body: '<h1>no</h1>' }
  }

  async function freePort(host = '127.0.0.1'): Promise<number> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return port
  }

  it('proposes the whole redirect, uses it as typed, and keeps it with the client', async () => {
    const redirectUrl = `http://localhost:${String(await freePort())}/oauth/back`
    registersNone(redirectUrl)
    const step = (await signIn.begin(undefined)) as Extract<SignInStep, { kind: 'clientNeeded' }>
    expect(step.kind).toBe('clientNeeded')
    expect(step.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/u)
    expect(await finish({ clientId: 'app-1', redirectUrl })).toContain('<h1>Signed in</h1>')
    await signIn.signOut()
    open()
    expect(await finish()).toContain('<h1>Signed in</h1>')
    expect(pages().map((page) => [page.client_id, page.redirect_uri])).toEqual([
      ['app-1', redirectUrl],
      ['app-1', redirectUrl],
    ])
  })

  it('takes client, redirect and scopes from an imported entry', async () => {
    const redirectUrl = `http://localhost:${String(await freePort())}/callback`
    registersNone(redirectUrl)
    await signIn.prepare({ clientId: 'app-2', redirectUrl }, 'read write')
    open()
    expect(await finish()).toContain('<h1>Signed in</h1>')
    expect(pages()).toMatchObject([
      { client_id: 'app-2', redirect_uri: redirectUrl, scope: 'read write' },
    ])
  })

  it('rejects a redirect whose port is taken before opening a page', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const port = String((taken.address() as AddressInfo).port)
    const redirectUrl = `http://localhost:${port}/callback`
    registersNone(redirectUrl)
    await expect(begin({ clientId: 'app-1', redirectUrl })).rejects.toThrow(`port ${port}`)
    expect(pages()).toEqual([])
    await new Promise((resolve) => taken.close(resolve))
    expect(await finish({ clientId: 'app-1', redirectUrl })).toContain('<h1>Signed in</h1>')
  })

  it('names a redirect that leads elsewhere', async () => {
    registersNone('')
    const client = { clientId: 'app-1', redirectUrl: 'https://elsewhere.test/callback' }
    await expect(begin(client)).rejects.toMatchObject({ code: 'INVALID_VALUES' })
  })

  it.each([
    ['invalid_redirect_uri', 'only http://localhost:{port}/callback is allowed'],
    ['invalid_client_metadata', 'redirect_uris: only localhost'],
  ])('tries localhost if a registration rejects 127.0.0.1 with %s', async (error, words) => {
    provider.routes['/register'] = ({ body }) => {
      const [redirect = ''] = (JSON.parse(body) as { redirect_uris: string[] }).redirect_uris
      if (redirect.startsWith('http://localhost:')) return undefined
      return { status: 400, body: { error, error_description: words } }
    }
    expect(await finish()).toContain('<h1>Signed in</h1>')
    expect(provider.sent('/register')).toHaveLength(2)
    expect(pages()[0]?.redirect_uri).toMatch(/^http:\/\/localhost:\d+\/callback$/u)
  })

  it("doesn't try localhost if the registration fails for another reason", async () => {
    const body = { error: 'access_denied', error_description: 'Members only.' }
    provider.routes['/register'] = () => ({ status: 403, body })
    expect(await signIn.begin(undefined)).toMatchObject({
      kind: 'clientNeeded',
      providerMessage: 'Server message: access_denied: Members only.',
    })
    expect(provider.sent('/register')).toHaveLength(1)
  })

  it('reuses redirect and client instead of registering again', async () => {
    await finish()
    open()
    await finish()
    expect(provider.sent('/register')).toHaveLength(1)
    expect(pages()[1]?.redirect_uri).toBe(pages()[0]?.redirect_uri)
    // An issuer that forgot the client answers with an error page or not at all; the client is registered again.
    await begin()
    signIn.cancel()
    await finish()
    expect(provider.sent('/register')).toHaveLength(2)
  })
})

describe('F4: scopes add up', () => {
  beforeEach(() => {
    provider.challenges = () => [`Bearer scope="read"`]
    provider.routes['/token'] = () => ({ body: { ...provider.grant(), scope: undefined } })
  })

  it('treats a token response without scope as the requested scope, also after a refresh', async () => {
    await rejectedWith(401, 'Bearer scope="read"')
    await finish()
    for (const [scope, all] of [
      ['write', 'read write'],
      ['admin', 'read write admin'],
    ] as const) {
      time.pass(3_600_000)
      await auth.token()
      await rejectedWith(403, `Bearer error="insufficient_scope", scope="${scope}"`)
      await finish()
      expect(pages().at(-1)?.scope).toBe(all)
    }
    expect(pages()).toHaveLength(3)
  })

  it("requests the user's additional scopes from then on", async () => {
    describeResource({ scopes_supported: ['read'] })
    await finish(undefined, ' files.write ')
    await finish()
    expect(pages().map(({ scope }) => scope)).toEqual(['read files.write', 'read files.write'])
    await finish(undefined, '')
    expect(pages().at(-1)?.scope).toBe('read')
  })
})

describe('F4: offline access', () => {
  /** Issues a refresh token only for this scope. */
  function lastsWith(isLasting: (page: Record<string, string>) => boolean): void {
    provider.routes['/token'] = () => {
      const page = pages().at(-1) ?? {}
      const { refresh_token: refresh, ...grant } = provider.grant()
      return { body: { ...grant, ...(isLasting(page) && { refresh_token: refresh }) } }
    }
  }

  it('requests offline_access if the issuer lists it, with and without other scopes', async () => {
    describeIssuer({ scopes_supported: ['mcp', 'offline_access'] })
    lastsWith(({ scope = '' }) => scope.includes('offline_access'))
    await finish()
    expect(pages()[0]).toMatchObject({ scope: 'offline_access', prompt: 'consent' })
    expect(signIn.endsAt).toBeUndefined()
    describeResource({ scopes_supported: ['mcp'] })
    await finish()
    expect(pages()[1]).toMatchObject({ scope: 'mcp offline_access' })
  })

  it('signs in without offline_access if the issuer rejects it, with one more page and none the next time', async () => {
    describeIssuer({ scopes_supported: ['mcp', 'offline_access'] })
    describeResource({ scopes_supported: ['mcp'] })
    provider.routes['/authorize'] = ({ form }) =>
      form.get('scope')?.includes('offline_access')
        ? answersWith(form, { error: 'invalid_scope' })
        : undefined
    expect(await finish()).toContain('<h1>Signed in</h1>')
    await finish()
    expect(pages().map(({ scope }) => scope)).toEqual(['mcp offline_access', 'mcp', 'mcp'])
  })

  it('requests access_type the next time if no refresh token came, and shows the end until then', async () => {
    lastsWith((page) => page.access_type === 'offline')
    await finish()
    expect(pages()[0]).not.toHaveProperty('access_type')
    expect(signIn.endsAt).toBe(time.now() + 3_600_000)
    expect(logged.join('\n')).toContain('no lasting sign-in')
    await finish()
    expect(pages()[1]).toMatchObject({ access_type: 'offline', prompt: 'consent' })
    expect(signIn.endsAt).toBeUndefined()
  })

  it("ends a sign-in that can't be renewed without a request", async () => {
    lastsWith(() => false)
    await finish()
    time.pass(3_599_999)
    expect([signIn.isSignedIn, lost]).toEqual([true, 0])
    time.pass(1)
    await expect.poll(() => lost).toBe(1)
    expect(signIn.isSignedIn).toBe(false)
  })
})

describe("F4: the server's address in its metadata", () => {
  it.each([
    ['a slash at its end', () => `${provider.url}/`],
    ['the origin alone', () => provider.origin],
    ['its host in capitals', () => provider.url.replace('http:', 'HTTP:')],
  ])('may differ in %s', async (_title, resource) => {
    describeResource({ resource: resource() })
    expect(await finish()).toContain('<h1>Signed in</h1>')
    expect(pages()[0]?.resource).toBe(resource())
  })

  it("names an address that differs in scheme or in localhost's name, and registers nothing", async () => {
    const other = provider.url.replace('127.0.0.1', 'localhost')
    for (const named of [other, `${provider.url.replace('http:', 'https:')}/`]) {
      describeResource({ resource: named })
      const expected = { kind: 'otherAddress', expected: provider.url, named }
      expect(await signIn.begin(undefined)).toEqual(expected)
    }
    expect(provider.sent('/register')).toEqual([])
  })

  it.each(['https://mcp.acme.example/mcp', '/other'])(
    'rejects another address and names both: %s',
    async (named) => {
      const resource = new URL(named, provider.origin).href
      describeResource({ resource })
      await expect(begin()).rejects.toMatchObject({
        code: 'SIGN_IN_FAILED',
        message: `The sign-in information is for another address: ${resource}, not ${provider.url}.`,
      })
      expect(provider.sent('/register')).toEqual([])
    },
  )
})
