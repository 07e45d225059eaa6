import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { GuardedServer } from '../../../e2e/fixtures/guarded-server'
import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { memoryBackend } from '../secrets/secret-vault'
import { SignIn } from './sign-in'
import { SIGN_IN_MS } from './sign-in-flow'
import type { SignInOptions } from './sign-in-keeper'

let guarded: GuardedServer
let signIn: SignIn
let time: ManualClock
let lost: number
const secrets = memoryBackend()

function open(options: Partial<SignInOptions> = {}): SignIn {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  signedIn = promise
  signIn = new SignIn({
    installationId: crypto.randomUUID(),
    secrets,
    fetch,
    time,
    clientMetadataUrl: () => '',
    ...options,
    onEvent: (event) => {
      if (event.kind === 'lost') lost += 1
      if (event.kind === 'signedIn') resolve(undefined)
      options.onEvent?.(event)
    },
  })
  return signIn
}
let signedIn: Promise<undefined>

beforeEach(async () => {
  guarded = await GuardedServer.open()
  time = new ManualClock()
  lost = 0
})
afterEach(async () => {
  signIn[Symbol.dispose]()
  await guarded[Symbol.asyncDispose]()
})

/** A session whose user has signed in. */
async function session(options: Partial<SignInOptions> = {}): Promise<ReturnType<SignIn['open']>> {
  const auth = open(options).open(new URL(guarded.remote.url), { onSecrets: () => undefined })
  const step = await signIn.begin(undefined)
  if (step.kind !== 'ask') throw new Error('it was not asked')
  await guarded.decide(step.address)
  await signedIn
  return auth
}

describe('C10: sign-in', () => {
  it('times out after 5 minutes, not before', async () => {
    open().open(new URL(guarded.remote.url), { onSecrets: () => undefined })
    const step = await signIn.begin(undefined)
    time.pass(SIGN_IN_MS - 1)
    expect(signIn.view).toMatchObject({ kind: 'waiting' })
    time.pass(1)
    expect(signIn.view).toMatchObject({ kind: 'failed', message: /5 minutes/u })
    if (step.kind === 'ask') await expect(guarded.decide(step.address)).rejects.toThrow()
    expect(time.waiting).toBe(0)
  })

  it("can't begin while the server's address is unknown", async () => {
    await expect(open().begin(undefined)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(() => signIn.address).toThrow('No sign-in is in progress.')
  })

  it('uses the client ID metadata document if Patchbay has one and the server accepts it', async () => {
    const clientMetadataUrl = 'https://patchbay.invalid/client.json'
    guarded.authorization.faults = { metadata: { client_id_metadata_document_supported: true } }
    guarded.authorization.addClient(clientMetadataUrl)
    const auth = await session({ clientMetadataUrl: () => clientMetadataUrl })
    expect(await auth.token()).toMatch(/^access-/u)
    expect(guarded.authorization.registered).toEqual([])
  })
})

describe("C10: a session's token", () => {
  it('is refreshed 60 s before it expires, once for all callers', async () => {
    const auth = await session()
    const first = await auth.token()
    time.pass(3_600_000 - 61_000)
    expect(await auth.token()).toBe(first)
    expect(guarded.authorization.refreshes).toBe(0)
    time.pass(2_000)
    const tokens = await Promise.all(Array.from({ length: 5 }, () => auth.token()))
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).not.toBe(first)
    expect(guarded.authorization.refreshes).toBe(1)
  })

  it('is used until it expires if the refresh fails', async () => {
    const auth = await session()
    const first = await auth.token()
    guarded.authorization.faults = { token: { status: 500, body: 'broken' } }
    time.pass(3_600_000 - 30_000)
    expect(await auth.token()).toBe(first)
    time.pass(30_000)
    await expect(auth.token()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect(lost).toBe(0)
    expect(signIn.isSignedIn).toBe(true)
  })

  it('is not refreshed again for the rejection of an older token', async () => {
    const auth = await session()
    const rejectedWith = async (token: string | undefined): Promise<void> => {
      const response = new Response(null, { status: 401 })
      auth.countRejected(response, `Bearer ${token ?? ''}`)
      await auth.onUnauthorized({
        response,
        serverUrl: new URL(guarded.remote.url),
        fetchFn: fetch,
      })
    }
    const old = await auth.token()
    await rejectedWith(old)
    expect(guarded.authorization.refreshes).toBe(1)
    await rejectedWith(old)
    expect(guarded.authorization.refreshes).toBe(1)
    guarded.authorization.forgetAll()
    await expect(rejectedWith(await auth.token())).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' })
    expect(lost).toBe(1)
    expect(await auth.token()).toBeUndefined()
  })

  it("is kept in memory with a warning if the keychain can't be written", async () => {
    const warnings: string[] = []
    const backend = memoryBackend()
    let isFull = false
    const auth = await session({
      secrets: {
        ...backend,
        set: (key, value) =>
          isFull ? Promise.reject(new Error('it is full')) : backend.set(key, value),
      },
      onEvent: (event) => {
        if (event.kind === 'log' && event.level === 'warn') warnings.push(event.text)
      },
    })
    isFull = true
    time.pass(3_600_000)
    expect(await auth.token()).toBe(guarded.authorization.issued.at(-2))
    expect(guarded.authorization.refreshes).toBe(1)
    expect(warnings).toEqual([expect.stringContaining('until Patchbay quits')])
  })

  it('is sent to no address but its own', async () => {
    await session()
    const elsewhere = signIn.open(new URL('/other', guarded.remote.url), {
      onSecrets: () => undefined,
    })
    expect(await elsewhere.token()).toBeUndefined()
  })
})

describe('E4: a sign-in during the refresh of the previous one', () => {
  /** A session whose expired token is being refreshed while the user signs in again. */
  async function signedInAgain() {
    const refreshes = holdRefreshes()
    let signIns = 0
    const auth = await session({
      fetch: refreshes.fetch,
      onEvent: ({ kind }) => {
        if (kind === 'signedIn') signIns += 1
      },
    })
    time.pass(3_600_000)
    const waiting = Promise.all([auth.token(), auth.token()])
    await vi.waitFor(() => expect(refreshes.count()).toBe(1))
    const step = await signIn.begin(undefined)
    if (step.kind !== 'ask') throw new Error('it was not asked')
    await guarded.decide(step.address)
    await vi.waitFor(() => expect(signIns).toBe(2))
    return { auth, refreshes, waiting, second: guarded.authorization.issued.at(-2) }
  }

  it.each([
    ['brings new ones', undefined],
    ['is refused', { status: 400, body: { error: 'invalid_grant' } }],
    ['fails', { status: 500, body: 'broken' }],
  ])('keeps the newer sign-in if the refresh %s', async (_how, token) => {
    const { auth, refreshes, waiting, second } = await signedInAgain()
    if (token) guarded.authorization.faults = { token }
    refreshes.goOn()
    expect(await waiting).toEqual([second, second])
    expect(await auth.token()).toBe(second)
    expect([lost, signIn.isSignedIn]).toEqual([0, true])
  })

  it("refreshes the newer sign-in's token automatically", async () => {
    const { auth, refreshes, second } = await signedInAgain()
    time.pass(3_600_000)
    const third = auth.token()
    await vi.waitFor(() => expect(refreshes.count()).toBe(2))
    refreshes.goOn()
    expect(await third).not.toBe(second)
    expect(await auth.token()).toBe(await third)
  })
})

/** A `fetch` whose refreshes wait until `goOn` is called. */
function holdRefreshes(): {
  readonly fetch: typeof globalThis.fetch
  readonly count: () => number
  readonly goOn: () => void
} {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let count = 0
  return {
    fetch: async (input, init) => {
      if (
        init?.body instanceof URLSearchParams &&
        init.body.get('grant_type') === 'refresh_token'
      ) {
        count += 1
        await promise
      }
      return fetch(input, init)
    },
    count: () => count,
    goOn: () => resolve(undefined),
  }
}
