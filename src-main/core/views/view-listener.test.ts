import { get, type IncomingHttpHeaders, request } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { ViewListener } from './view-listener'

const NONE = { connect: [], resource: [], frame: [] }
const PAGE = '<p>A view</p>'

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: string }

/** Requests an address by its port only, as a browser does for names below localhost. */
function ask(
  address: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { host, port, pathname } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const options = { host: '127.0.0.1', port, path: pathname, method, headers: { host, ...headers } }
  const sent = (method === 'GET' ? get : request)(options, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.on('end', () => {
      const { statusCode: status, headers: got } = response
      resolve({ status, headers: got, body: Buffer.concat(parts).toString() })
    })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** Returns the address of the view in a frame. */
const viewIn = (frame: string): string => /view\.src = '([^']+)'/u.exec(frame)?.[1] ?? ''

describe('E13: the listener of views', () => {
  let clock: ManualClock
  let listener: ViewListener
  beforeEach(() => {
    clock = new ManualClock()
    listener = new ViewListener(clock)
  })
  afterEach(async () => {
    await listener.close()
  })

  it('accepts reports of blocked requests only from the view that they belong to', async () => {
    const blocked: string[] = []
    const take = (address: string): unknown => blocked.push(address)
    const view = viewIn((await ask(await listener.issue(PAGE, NONE, take))).body)
    const other = viewIn((await ask(await listener.issue(PAGE, NONE, take))).body)
    const policy = (await ask(view)).headers['content-security-policy']
    const place = / report-uri (\/report\/[\da-f]{32})$/u.exec(String(policy))?.[1] ?? ''
    const { origin } = new URL(view)
    const report = (uri: unknown): string =>
      JSON.stringify({ 'csp-report': { 'blocked-uri': uri } })
    const send = (address: string, body: string): Promise<Answer> =>
      ask(address, { method: 'POST', body })
    expect((await send(origin + place, report('https://a.example/b'))).status).toBe(204)
    for (const body of ['', '{', report(7), report('x'.repeat(20_000))])
      expect((await send(origin + place, body)).status).toBe(204)
    expect((await send(new URL(other).origin + place, report('https://b.example'))).status).toBe(
      405,
    )
    expect(
      (await send(`${origin}/report/${'0'.repeat(32)}`, report('https://c.example'))).status,
    ).toBe(405)
    expect((await ask(origin + place)).status).toBe(404)
    expect(blocked).toEqual(['https://a.example/b'])
  })

  it('serves a frame, and in it the page from another host', async () => {
    const address = await listener.issue(PAGE, { ...NONE, connect: ['https://a.example.com'] })
    expect(address).toMatch(/^http:\/\/f[\da-f]{16}\.localhost:\d+\/frame\/[\da-f]{32}$/u)
    const frame = await ask(address)
    const view = viewIn(frame.body)
    expect(view).toMatch(/^http:\/\/v[\da-f]{16}\.localhost:\d+\/view\/[\da-f]{32}$/u)
    expect(new URL(view).host.slice(1)).not.toBe(new URL(address).host.slice(1))
    expect(frame.headers['content-security-policy']).toMatch(
      new RegExp(`; frame-src ${new URL(view).origin};`, 'u'),
    )
    const { status, headers, body } = await ask(view)
    expect({ status, body }).toEqual({ status: 200, body: PAGE })
    expect(headers['content-security-policy']).toContain('connect-src https://a.example.com;')
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'origin-agent-cluster': '?1',
    })
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('sandboxes a view without popups and top navigation', async () => {
    const { body } = await ask(await listener.issue(PAGE, NONE))
    expect(/sandbox="([^"]*)"/u.exec(body)?.[1]).toBe('allow-scripts allow-same-origin allow-forms')
  })

  it('assigns separate hosts to each view', async () => {
    const addresses = await Promise.all([1, 2, 3].map(() => listener.issue(PAGE, NONE)))
    const frames = await Promise.all(addresses.map((address) => ask(address)))
    const views = frames.map(({ body }) => viewIn(body))
    expect(new Set([...addresses, ...views].map((one) => new URL(one).host)).size).toBe(6)
  })

  it('serves each ticket once', async () => {
    const address = await listener.issue(PAGE, NONE)
    const view = viewIn((await ask(address)).body)
    expect((await ask(view)).status).toBe(200)
    expect((await ask(address)).status).toBe(404)
    expect((await ask(view)).status).toBe(404)
  })

  it('serves a ticket for 60 s', async () => {
    const [late, inTime] = [await listener.issue(PAGE, NONE), await listener.issue(PAGE, NONE)]
    clock.pass(59_999)
    expect((await ask(inTime)).status).toBe(200)
    clock.pass(1)
    expect((await ask(late)).status).toBe(404)
  })

  it("serves a ticket only from its own host, and other hosts don't use it up", async () => {
    const address = await listener.issue(PAGE, NONE)
    const other = new URL(await listener.issue(PAGE, NONE)).host
    const { host, port } = new URL(address)
    for (const [name, status] of [
      [other, 404],
      [`v${host.slice(1)}`, 404],
      [`f0123456789abcdef.localhost:${Number(port) + 1}`, 403],
      [`f0123456789abcdef.localhost`, 403],
      [`127.0.0.1:${port}`, 403],
      [`localhost:${port}`, 403],
      [`evil.example:${port}`, 403],
      [`f0123456789abcdef.localhost.evil.example:${port}`, 403],
    ] as const)
      expect([name, (await ask(address, { headers: { host: name } })).status]).toEqual([
        name,
        status,
      ])
    expect((await ask(address)).status).toBe(200)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])(
    'rejects %s, and the ticket stays valid',
    async (method) => {
      const address = await listener.issue(PAGE, NONE)
      expect((await ask(address, { method })).status).toBe(405)
      expect((await ask(address)).status).toBe(200)
    },
  )

  it.each(['document', 'object', 'embed', 'script', 'serviceworker', 'empty', 'image'])(
    'rejects a load as %s, and the ticket stays valid for a frame',
    async (kind) => {
      const address = await listener.issue(PAGE, NONE)
      expect((await ask(address, { headers: { 'sec-fetch-dest': kind } })).status).toBe(403)
      expect((await ask(address, { headers: { 'sec-fetch-dest': 'iframe' } })).status).toBe(200)
    },
  )

  it('rejects requests from pages of other origins', async () => {
    const address = await listener.issue(PAGE, NONE)
    const headers = { origin: 'http://127.0.0.1:1' }
    expect((await ask(address, { headers })).status).toBe(403)
    expect((await ask(address, { headers: { origin: 'null' } })).status).toBe(403)
  })

  it('has no other paths', async () => {
    const { origin, pathname } = new URL(await listener.issue(PAGE, NONE))
    for (const path of ['/', '/frame/', '/favicon.ico', `${pathname}/`, `/x${pathname}`])
      expect([path, (await ask(origin + path)).status]).toEqual([path, 404])
  })

  it('serves a page of 5 MB completely', async () => {
    const page = `<p>${'ü'.repeat(2_500_000)}</p>`
    const { body } = await ask(viewIn((await ask(await listener.issue(page, NONE))).body))
    expect(body === page).toBe(true)
  })

  it('recognizes addresses that are still to be loaded, for the desktop app', async () => {
    const address = await listener.issue(PAGE, NONE)
    const { host, origin, pathname, port } = new URL(address)
    const other = new URL(await listener.issue(PAGE, NONE)).host
    for (const one of [
      `${address}?a`,
      `${address}#a`,
      `${address}/`,
      `${origin}/`,
      `${origin}${pathname.replace('frame', 'view')}`,
      `https://${host}${pathname}`,
      `http://a@${host}${pathname}`,
      `http://${other}${pathname}`,
      `http://v${host.slice(1)}${pathname}`,
      `http://127.0.0.1:${port}${pathname}`,
      `http://${host.split(':')[0]}:${Number(port) + 1}${pathname}`,
      pathname,
      'about:blank',
      '',
    ])
      expect([one, listener.isIssued(one)]).toEqual([one, false])
    expect(listener.isIssued(address)).toBe(true)
    const view = viewIn((await ask(address)).body)
    expect([listener.isIssued(address), listener.isIssued(view)]).toEqual([false, true])
    await ask(view)
    expect(listener.isIssued(view)).toBe(false)
  })

  it('frees its port when closed', async () => {
    const address = await listener.issue(PAGE, NONE)
    await listener.close()
    await expect(ask(address)).rejects.toThrow('ECONNREFUSED')
  })
})
