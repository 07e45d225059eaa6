import { beforeEach, describe, expect, it } from 'vitest'

import { SignInHarness } from '../../fixtures/sign-in-harness'

let sign: SignInHarness

beforeEach(async () => {
  sign = await SignInHarness.open()
})

describe('C10: sign-in at a remote server', () => {
  it("is requested by a status that isn't retried and counts as no failure", async () => {
    const id = await sign.install()
    const { status, restarts, phases } = await sign.harness.until(id, 'signInNeeded')
    expect(status).toMatchObject({ host: new URL(sign.guarded.remote.url).host })
    expect(restarts).toBe(0)
    expect(phases.at(-1)).toMatchObject({ outcome: 'done', note: 'sign-in needed' })
    expect((await sign.harness.view(id)).signedIn).not.toBe(true)
  })

  it('provides tokens that start the server, are in no file, log or event, and survive a restart', async () => {
    const id = await sign.installSignedIn()
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    expect((await sign.harness.view(id)).signedIn).toBe(true)
    const kept = await sign.everythingKept(id)
    for (const token of sign.guarded.authorization.issued) expect(kept).not.toContain(token)
    await sign.reopen()
    const { signedIn } = await sign.harness.until(id, 'ready')
    expect(signedIn).toBe(true)
    expect(sign.guarded.authorization.registered).toHaveLength(1)
  })

  it('masks a token that the server repeats, even after a refresh', async () => {
    const id = await sign.installSignedIn()
    sign.guarded.authorization.expireAll()
    await sign.callEcho(id)
    const { issued } = sign.guarded.authorization
    expect(issued).toHaveLength(4)
    const log = sign.harness.patchbay.servers.find(id)?.log
    for (const token of issued) log?.append('patchbay', 'info', `It says ${token}.`)
    const said = (await sign.harness.log(id)).join('\n')
    for (const token of issued) expect(said).not.toContain(token.slice(0, 60))
  })

  it("shows the page's reason if denied, and leaves nothing behind", async () => {
    const id = await sign.installWaiting()
    await sign.guarded.decide((await sign.begin(id)).address, 'no')
    expect(await sign.failure(id)).toMatchObject({
      message: 'The sign-in was denied on the authorization page.',
      hint: 'Server message: Not today.',
    })
    expect(sign.guarded.authorization.issued).toEqual([])
    await sign.harness.call('signIn.cancel', { installationId: id })
    expect((await sign.harness.view(id)).signIn).toBeUndefined()
  })

  it('rejects a response with another state, and waits for the right one', async () => {
    const id = await sign.installWaiting()
    sign.guarded.authorization.faults = { state: 'of-somebody-else' }
    const { address } = await sign.begin(id)
    expect(await sign.guarded.decide(address)).toBe(400)
    expect((await sign.harness.view(id)).signIn).toMatchObject({
      kind: 'waiting',
      rejectedCount: 1,
    })
    sign.guarded.authorization.faults = {}
    expect(await sign.guarded.decide(address)).toBe(200)
    await sign.harness.until(id, 'ready')
  })

  it('rejects a response of another issuer, and requests no tokens with it', async () => {
    const id = await sign.installWaiting()
    sign.guarded.authorization.faults = { iss: 'https://elsewhere.invalid' }
    await sign.guarded.decide((await sign.begin(id)).address)
    expect((await sign.failure(id)).message).toContain('came from another authorization server')
    expect(sign.guarded.authorization.issued).toEqual([])
  })

  it('is one flow for several windows', async () => {
    const id = await sign.installWaiting()
    const [first, second] = await Promise.all([sign.begin(id), sign.begin(id)])
    expect(second).toEqual(first)
    expect((await sign.begin(id)).address).toBe(first.address)
    expect(sign.guarded.authorization.registered).toHaveLength(1)
    await sign.guarded.decide(first.address)
    await sign.harness.until(id, 'ready')
  })

  it('ignores responses after it was canceled', async () => {
    const id = await sign.installWaiting()
    const { address } = await sign.begin(id)
    await sign.harness.call('signIn.cancel', { installationId: id })
    expect((await sign.harness.view(id)).signIn).toBeUndefined()
    await expect(sign.guarded.decide(address)).rejects.toThrow()
    expect(sign.guarded.authorization.issued).toEqual([])
  })

  it.each([
    ['javascript:alert(1)', /sign-in page isn’t allowed: javascript:/u],
    ['file:///etc/passwd', /sign-in page isn’t allowed: file:/u],
    ['http://elsewhere.invalid/a', /isn’t allowed: http:\/\/elsewhere.invalid/u],
  ])('opens no page at %s', async (address, message) => {
    const id = await sign.installWaiting()
    sign.guarded.authorization.faults = { metadata: { authorization_endpoint: address } }
    await expect(sign.begin(id)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringMatching(message) as string,
    })
    expect((await sign.harness.view(id)).signIn).toBeUndefined()
  })

  it('sends nothing to a token address over http elsewhere', async () => {
    const id = await sign.installWaiting()
    const token_endpoint = 'http://elsewhere.invalid/token'
    sign.guarded.authorization.faults = { metadata: { token_endpoint } }
    await sign.guarded.decide((await sign.begin(id)).address)
    expect((await sign.failure(id)).message).toContain('a token URL without https')
  })

  it('asks for a client ID if the server registers none, and remembers it', async () => {
    const { authorization } = sign.guarded
    authorization.faults = { metadata: { registration_endpoint: undefined } }
    authorization.addClient('typed-client', 'typed-secret')
    const id = await sign.installWaiting()
    const step = await sign.harness.call('signIn.begin', { installationId: id })
    expect(step).toMatchObject({ kind: 'clientNeeded', host: new URL(authorization.issuer).host })
    const client = { clientId: 'typed-client', clientSecret: 'typed-secret' }
    const request = await sign.harness.call('signIn.begin', { installationId: id, client })
    if (request.kind !== 'ask') throw new Error('it was not asked')
    await sign.guarded.decide(request.address)
    await sign.harness.until(id, 'ready')
    expect(await sign.everythingKept(id)).not.toContain('typed-secret')
    // After a sign-out the typed client is still known.
    expect(await sign.harness.call('signIn.signOut', { installationId: id })).toEqual({
      revoked: true,
    })
    await sign.harness.until(id, 'stopped')
    await sign.harness.call('server.start', { installationId: id })
    await sign.harness.until(id, 'signInNeeded')
    const { address } = await sign.begin(id)
    // Once the server no longer knows it, it is requested again.
    authorization.addClient('typed-client', 'another-secret')
    await sign.guarded.decide(address)
    expect((await sign.failure(id)).message).toContain('invalid_client')
    expect(await sign.harness.call('signIn.begin', { installationId: id })).toMatchObject({
      kind: 'clientNeeded',
    })
  })
})
