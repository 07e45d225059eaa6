import { afterEach, expect, it, vi } from 'vitest'

import { AuthorizationServer } from '../../fixtures/authorization-server'
import { type Company, COMPANY_HOSTS } from '../../fixtures/company'
import { openInCompany } from '../../fixtures/company-harness'

const RESOURCE = `https://${COMPANY_HOSTS.mcp}/mcp`

afterEach(() => vi.unstubAllEnvs())

const ofCompany = {
  name: 'acme/remote',
  title: 'Remote',
  description: 'Behind the proxy.',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: RESOURCE }],
}

/** Makes the remote server require a token of the company's authorization server. */
async function guardByLogin(company: Company): Promise<AuthorizationServer> {
  const login = `https://${COMPANY_HOSTS.login}`
  const authorization = await AuthorizationServer.open(undefined, login)
  company.mcp.intercept = ({ url, headers }, response) => {
    if (url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ resource: RESOURCE, authorization_servers: [login] }))
      return true
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    if (authorization.knows(token, RESOURCE)) return false
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    return true
  }
  company.answers.login = (request, response) => {
    // So that each request passes the proxy again.
    response.setHeader('connection', 'close')
    void authorization.answer(request, response)
  }
  return authorization
}

/** Runs an action that needs the authorization server, and checks that it passed the proxy. */
async function byLogin<Done>(company: Company, act: () => Promise<Done>): Promise<Done> {
  const before = company.passed('login')
  const done = await act()
  expect(company.passed('login')).toBeGreaterThan(before)
  return done
}

it('E8: a sign-in uses an authenticating proxy: tokens are fetched, refreshed and revoked through it', async () => {
  const { company, harness } = await openInCompany()
  await using authorization = await guardByLogin(company)
  const id = await harness.install(ofCompany, { offer: { kind: 'remote', index: 0 } })
  await harness.until(id, 'signInNeeded')
  const step = await byLogin(company, () => harness.call('signIn.begin', { installationId: id }))
  const address = step.kind === 'ask' ? step.address : ''
  expect(address).toContain(`${authorization.issuer}/authorize?`)

  // Like the user's own browser, which has its own route.
  const decided = `${authorization.origin}/decide${new URL(address).search}&allow=yes`
  await byLogin(company, async () => {
    expect((await fetch(decided)).status).toBe(200)
    await harness.until(id, 'ready')
  })
  authorization.expireAll()
  const call = { name: 'echo', arguments: { text: 'hello' } }
  const echo = await byLogin(company, () => harness.session(id).request('tools/call', call))
  expect(echo).toMatchObject({ content: [{ text: 'hello' }] })
  expect(authorization.refreshes).toBe(1)
  const signedOut = await byLogin(company, () =>
    harness.call('signIn.signOut', { installationId: id }),
  )
  expect(signedOut).toEqual({ revoked: true })
  expect(authorization.revoked.toSorted()).toEqual(authorization.issued.slice(-2).toSorted())
})
