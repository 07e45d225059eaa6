import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import { describe, expect, it, onTestFinished } from 'vitest'

import { GuardedServer } from '../../fixtures/guarded-server'
import { selfSigned } from '../../fixtures/self-signed'
import { SignInHarness } from '../../fixtures/sign-in-harness'

const DOCUMENT = 'https://patchbay.test/client.json'

let sign: SignInHarness

/** A server whose authorization server accepts a client metadata address. */
async function openWithDocument(metadata: object): Promise<string> {
  sign = await SignInHarness.open()
  const { authorization } = sign.guarded
  authorization.faults = { metadata: { client_id_metadata_document_supported: true, ...metadata } }
  authorization.addClient(DOCUMENT)
  const id = await sign.installWaiting()
  return id
}

const clientAt = (address: string): string | null => new URL(address).searchParams.get('client_id')

describe('C10: a client metadata document', () => {
  it('is the client ID once its address is set, without a registration, also for new tokens', async () => {
    const id = await openWithDocument({})
    await sign.harness.call('settings.update', { clientMetadataUrl: DOCUMENT })
    const { address } = await sign.begin(id)
    expect(clientAt(address)).toBe(DOCUMENT)
    await sign.guarded.decide(address)
    await sign.harness.until(id, 'ready')
    sign.guarded.authorization.expireAll()
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    expect(sign.guarded.authorization.refreshes).toBe(1)
    expect(sign.guarded.authorization.registered).toEqual([])
  })

  it.each([
    ['its address is not set', true, ''],
    ['the server does not take it', false, DOCUMENT],
  ])('is skipped for a registration if %s', async (_title, takes, clientMetadataUrl) => {
    const id = await openWithDocument({ client_id_metadata_document_supported: takes })
    await sign.harness.call('settings.update', { clientMetadataUrl })
    await sign.guarded.decide((await sign.begin(id)).address)
    await sign.harness.until(id, 'ready')
    expect(sign.guarded.authorization.registered).toHaveLength(1)
  })

  it('can be typed for one server, which must accept it, and is kept for it', async () => {
    const id = await openWithDocument({ registration_endpoint: undefined })
    const step = await sign.harness.call('signIn.begin', { installationId: id })
    expect(step).toMatchObject({ kind: 'clientNeeded', takesDocument: true })
    const client = { clientId: DOCUMENT }
    const request = await sign.harness.call('signIn.begin', { installationId: id, client })
    if (request.kind !== 'ask') throw new Error('it was not asked')
    expect(clientAt(request.address)).toBe(DOCUMENT)
    await sign.guarded.decide(request.address)
    await sign.harness.until(id, 'ready')
    await sign.harness.call('signIn.signOut', { installationId: id })
    await sign.harness.until(id, 'stopped')
    await sign.harness.call('server.start', { installationId: id })
    await sign.harness.until(id, 'signInNeeded')
    expect(clientAt((await sign.begin(id)).address)).toBe(DOCUMENT)
  })

  it('comes after a client ID typed for the server', async () => {
    const id = await openWithDocument({ registration_endpoint: undefined })
    sign.guarded.authorization.addClient('typed-client')
    const client = { clientId: 'typed-client' }
    const typed = await sign.harness.call('signIn.begin', { installationId: id, client })
    if (typed.kind !== 'ask') throw new Error('it was not asked')
    await sign.guarded.decide(typed.address)
    await sign.harness.until(id, 'ready')
    await sign.harness.call('settings.update', { clientMetadataUrl: DOCUMENT })
    await sign.harness.call('signIn.signOut', { installationId: id })
    await sign.harness.until(id, 'stopped')
    await sign.harness.call('server.start', { installationId: id })
    await sign.harness.until(id, 'signInNeeded')
    expect(clientAt((await sign.begin(id)).address)).toBe('typed-client')
  })
})

describe('C10: sign-in at other kinds of servers', () => {
  it('works over HTTP+SSE, also after the token expired', async () => {
    sign = await SignInHarness.open(await GuardedServer.openSse())
    const id = await sign.installSignedIn()
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    sign.guarded.authorization.expireAll()
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    expect(sign.guarded.authorization.refreshes).toBe(1)
    expect((await sign.harness.view(id)).restarts).toBe(0)
  })

  it('works over https with a manually trusted certificate, and not without', async () => {
    const secure = selfSigned()
    sign = await SignInHarness.open(await GuardedServer.open(secure))
    const id = await sign.install()
    const { status } = await sign.harness.until(id, 'error')
    expect(status).toMatchObject({ code: 'REMOTE_UNTRUSTED' })
    const before = getCACertificates('default')
    onTestFinished(() => setDefaultCACertificates(before))
    setDefaultCACertificates([...before, secure.cert])
    await sign.harness.call('server.start', { installationId: id })
    await sign.signIn(id)
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    expect(new URL(sign.guarded.authorization.issuer).protocol).toBe('https:')
  })

  it("works as of 2025-03-26, with the metadata at the server's root, until the sign-out", async () => {
    sign = await SignInHarness.open()
    const { guarded } = sign
    const issuer = new URL('/oauth', guarded.remote.url).href
    guarded.isOlder = true
    guarded.authorization.faults = { metadata: { issuer }, iss: issuer }
    const id = await sign.installSignedIn()
    guarded.authorization.expireAll()
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
    expect(guarded.authorization.refreshes).toBe(1)
    const out = await sign.harness.call('signIn.signOut', { installationId: id })
    expect([out.revoked, guarded.authorization.revoked.length]).toEqual([true, 2])
  })

  it.each([
    ['an issuer of another origin in that', 'https://elsewhere.test/oauth', undefined],
    ['an answer of another issuer there', undefined, 'https://elsewhere.test'],
  ])('rejects %s', async (_title, named, answered) => {
    sign = await SignInHarness.open()
    const { guarded } = sign
    const issuer = named ?? new URL('/oauth', guarded.remote.url).href
    guarded.isOlder = true
    guarded.authorization.faults = { metadata: { issuer }, iss: answered ?? issuer }
    const id = await sign.installWaiting()
    const words = 'came from another authorization server'
    if (named !== undefined) await expect(sign.begin(id)).rejects.toThrow(words)
    else {
      await guarded.decide((await sign.begin(id)).address)
      expect((await sign.failure(id)).message).toContain(words)
    }
    expect([guarded.authorization.issued, guarded.authorization.registered.length]).toEqual([
      [],
      named === undefined ? 1 : 0,
    ])
  })
})
