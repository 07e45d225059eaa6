import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { pause } from '../../../e2e/fixtures/pause'
import { isRedirectUrl, listenForRedirect, type RedirectListener } from './redirect-listener'

const SIGNED_IN = { title: 'Signed in', text: 'You can close this tab.' }

let listener: RedirectListener
let rejected: number
let answer: Promise<URLSearchParams>

function expectAnswer(state = 'right'): void {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>()
  answer = promise
  listener.expect(state, (given) => {
    resolve(given)
    return Promise.resolve(SIGNED_IN)
  })
}

const onRejected = (): void => {
  rejected += 1
}

beforeEach(async () => {
  rejected = 0
  listener = await listenForRedirect({ onRejected })
  expectAnswer()
})
afterEach(() => listener[Symbol.dispose]())

function at(query: string, url = listener.redirectUrl): string {
  return `${url}?${query}`
}

async function isAnswered(): Promise<boolean> {
  return Promise.race([answer.then(() => true), pause(20).then(() => false)])
}

async function statusFor(host: string, url = listener.redirectUrl): Promise<number | undefined> {
  const { port, pathname } = new URL(url)
  return new Promise((resolve, reject) => {
    const path = `${pathname}?state=right&code=abc`
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('C10: the redirect from the authorization page', () => {
  it('listens on 127.0.0.1, accepts one response with the right state, and shows a page that loads and stores nothing', async () => {
    expect(new URL(listener.redirectUrl).hostname).toBe('127.0.0.1')
    const first = await fetch(at('state=right&code=abc'))
    expect(first.status).toBe(200)
    expect(await first.text()).toContain('You can close this tab')
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'x-frame-options': 'DENY',
    })
    expect((await answer).get('code')).toBe('abc')
    const second = await fetch(at('state=right&code=def'))
    expect(second.status).toBe(410)
    expect((await answer).get('code')).toBe('abc')
    expect(rejected).toBe(0)
  })

  it.each(['state=wrong&code=abc', 'code=abc', 'state=right&state=right&code=abc', 'state='])(
    'ignores a response with %s and keeps waiting',
    async (query) => {
      expect((await fetch(at(query))).status).toBe(400)
      expect(rejected).toBe(1)
      expect(await isAnswered()).toBe(false)
      expect((await fetch(at('state=right&code=abc'))).status).toBe(200)
    },
  )

  it('accepts the response while another account holds idle connections', async () => {
    const { port, hostname } = new URL(listener.redirectUrl)
    const idle: Socket[] = []
    for (let count = 0; count < 40; count += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      idle.push(socket)
      await once(socket, 'connect')
    }
    expect((await fetch(at('state=right&code=abc'))).status).toBe(200)
    for (const one of idle) one.destroy()
  })

  it('rejects other paths, methods and hosts', async () => {
    const { origin, port } = new URL(listener.redirectUrl)
    expect((await fetch(`${origin}/other?state=right`)).status).toBe(404)
    expect((await fetch(at('state=right'), { method: 'POST' })).status).toBe(405)
    for (const host of [`rebound.invalid:${port}`, `localhost:${port}`, '127.0.0.1'])
      expect(await statusFor(host)).toBe(403)
    expect(rejected).toBe(0)
    expect(await isAnswered()).toBe(false)
  })

  it('closes on dispose', async () => {
    listener[Symbol.dispose]()
    await expect(fetch(at('state=right'))).rejects.toThrow()
  })

  it('redirects to a second page, whose state alone counts from then on', async () => {
    listener.expect('right', () => {
      expectAnswer('second')
      return Promise.resolve(new URL('https://login.example/authorize?a=1'))
    })
    const first = await fetch(at('state=right&error=invalid_target'), { redirect: 'manual' })
    expect([first.status, first.headers.get('location')]).toEqual([
      302,
      'https://login.example/authorize?a=1',
    ])
    expect((await fetch(at('state=right&code=abc'))).status).toBe(400)
    expect((await fetch(at('state=second&code=abc'))).status).toBe(200)
  })

  it("escapes the provider's text", async () => {
    listener.expect('right', () => Promise.resolve({ title: 'Not signed in', text: '<b>"&' }))
    expect(await (await fetch(at('state=right&error=x'))).text()).toContain('&lt;b>&quot;&amp;')
  })
})

describe('F4: redirects as providers want them', () => {
  it('answers localhost under both names and on both IP families', async () => {
    using both = await listenForRedirect({ host: 'localhost', onRejected })
    both.expect('right', () => Promise.resolve(SIGNED_IN))
    const { hostname, port } = new URL(both.redirectUrl)
    expect(hostname).toBe('localhost')
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      both.expect('right', () => Promise.resolve(SIGNED_IN))
      expect(await statusFor(host, both.redirectUrl)).toBe(200)
    }
    expect(await statusFor(`rebound.invalid:${port}`, both.redirectUrl)).toBe(403)
    both.expect('right', () => Promise.resolve(SIGNED_IN))
    expect((await fetch(at('state=right&code=a', `http://[::1]:${port}/callback`))).status).toBe(
      200,
    )
  })

  it('keeps the registered port, host and path character by character', async () => {
    const { port } = new URL(listener.redirectUrl)
    listener[Symbol.dispose]()
    const redirectUrl = `http://LOCALHOST:${port}/oauth/done`
    using fixed = await listenForRedirect({ redirectUrl, onRejected })
    fixed.expect('right', () => Promise.resolve(SIGNED_IN))
    expect(fixed.redirectUrl).toBe(redirectUrl)
    expect((await fetch(`http://localhost:${port}/callback?state=right`)).status).toBe(404)
    expect((await fetch(`http://localhost:${port}/oauth/done?state=right&code=a`)).status).toBe(200)
  })

  it('reports the number of a taken port, and works once the port is free', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const redirectUrl = `http://localhost:${String(port)}/callback`
    await expect(listenForRedirect({ redirectUrl, onRejected })).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: `The sign-in needs port ${String(port)}, which another program uses (EADDRINUSE).`,
    })
    await new Promise((resolve) => other.close(resolve))
    using fixed = await listenForRedirect({ redirectUrl, onRejected })
    expect(fixed.redirectUrl).toBe(redirectUrl)
  })

  it('is not answered at one IP family only if the other one belongs to another program', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '::1', resolve))
    const { port } = other.address() as AddressInfo
    const redirectUrl = `http://localhost:${String(port)}/callback`
    await expect(listenForRedirect({ redirectUrl, onRejected })).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: `The sign-in needs port ${String(port)}, which another program uses (EADDRINUSE).`,
    })
    // Nothing of the failed try still listens.
    await new Promise<void>((resolve, reject) => {
      const next = createServer().once('error', reject)
      next.listen(port, '127.0.0.1', () => next.close(() => resolve()))
    })
    await new Promise((resolve) => other.close(resolve))
  })

  it.each([
    ['http://127.0.0.1/callback', true],
    ['http://localhost:3118/a/b', true],
    ['http://[::1]:1/', true],
    ['https://localhost/callback', false],
    ['http://example.test/callback', false],
    ['http://user@localhost/callback', false],
    ['myapp://callback', false],
    ['text', false],
  ])('of this computer: %s is %s', (url, isOne) => {
    expect(isRedirectUrl(url)).toBe(isOne)
  })
})
