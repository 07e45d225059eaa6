import { beforeEach, describe, expect, it } from 'vitest'

import { SignInHarness } from '../../fixtures/sign-in-harness'

let sign: SignInHarness

beforeEach(async () => {
  sign = await SignInHarness.open()
})

describe('C10: a sign-in with too few scopes', () => {
  it('can be repeated with the scopes that the server requires, while it runs', async () => {
    const id = await sign.installSignedIn()
    sign.guarded.requiredScope = 'files:write'
    await expect(sign.callEcho(id)).rejects.toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: expect.stringContaining('more permissions') as string,
    })
    expect((await sign.harness.view(id)).status.kind).toBe('ready')
    const { address } = await sign.begin(id)
    expect(new URL(address).searchParams.get('scope')).toBe('files:write')
    await sign.guarded.decide(address)
    await expect
      .poll(() => sign.callEcho(id).catch(() => 'refused'))
      .toMatchObject({ content: [{}] })
  })
})

describe('C10: the tokens of a sign-in', () => {
  it("are refreshed once for many rejected requests, and the old refresh token isn't used again", async () => {
    const id = await sign.installSignedIn()
    sign.guarded.authorization.expireAll()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sign.callEcho(id)))
    expect(answers).toHaveLength(8)
    expect(sign.guarded.authorization.refreshes).toBe(1)
    sign.guarded.authorization.expireAll()
    await sign.callEcho(id)
    expect(sign.guarded.authorization.refreshes).toBe(2)
    expect((await sign.harness.view(id)).status.kind).toBe('ready')
  })

  it('are refreshed before they expire', async () => {
    sign.guarded.authorization.faults = { lifetimeS: 2 }
    const id = await sign.installSignedIn()
    await expect
      .poll(async () => {
        await sign.callEcho(id)
        return sign.guarded.authorization.refreshes
      })
      .toBeGreaterThan(0)
    expect((await sign.harness.view(id)).status.kind).toBe('ready')
  })

  it('rejected for good lead to the sign-in status, and to one request for new ones', async () => {
    const id = await sign.installSignedIn()
    sign.guarded.authorization.forgetAll()
    await expect(sign.callEcho(id)).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' })
    const { signedIn, restarts } = await sign.harness.until(id, 'signInNeeded')
    expect(signedIn).not.toBe(true)
    expect(restarts).toBe(0)
    expect(sign.guarded.authorization.refreshes).toBe(1)
    await sign.signIn(id)
  })

  it('stay if the authorization server only fails temporarily', async () => {
    const id = await sign.installSignedIn()
    sign.guarded.authorization.expireAll()
    sign.guarded.authorization.faults = { token: { status: 503, body: 'busy' } }
    await expect(sign.callEcho(id)).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect((await sign.harness.view(id)).signedIn).toBe(true)
    sign.guarded.authorization.faults = {}
    expect(await sign.callEcho(id)).toMatchObject({ content: [{ text: 'hello' }] })
  })

  it('are revoked at a sign-out, which stops the server and leaves nothing in the keychain', async () => {
    const id = await sign.installSignedIn()
    const { issued, revoked } = sign.guarded.authorization
    expect(await sign.harness.call('signIn.signOut', { installationId: id })).toEqual({
      revoked: true,
    })
    await sign.harness.until(id, 'stopped')
    expect(new Set(revoked)).toEqual(new Set(issued))
    expect(await sign.kept(id)).toBeNull()
    expect((await sign.harness.view(id)).signedIn).not.toBe(true)
  })

  it('are deleted here even if the server revokes none', async () => {
    const id = await sign.installSignedIn()
    sign.guarded.authorization.faults = { metadata: { revocation_endpoint: undefined } }
    expect(await sign.harness.call('signIn.signOut', { installationId: id })).toEqual({
      revoked: false,
    })
    expect(await sign.kept(id)).toBeNull()
  })

  it('are deleted with their installation', async () => {
    const id = await sign.installSignedIn()
    await sign.harness.call('installation.remove', { installationId: id, deleteSecrets: true })
    expect(await sign.kept(id)).toBeNull()
    await expect.poll(() => sign.guarded.authorization.revoked.length).toBe(2)
  })
})
