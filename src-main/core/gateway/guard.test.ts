import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  ListenerHarness,
  PROFILE,
  refusalIn,
  statuses,
} from '../../../e2e/fixtures/listener-harness'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'

const MEGABYTE = 1024 * 1024
/** A smuggled request that must never be parsed as one. */
const SMUGGLED = 'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n'

let harness: ListenerHarness
beforeEach(async () => {
  harness = await new ListenerHarness(tempFolder('door')).open()
})
afterEach(async () => {
  // After every attack an agent with a key is served, and nothing else was served unless the test lists it.
  expect(await harness.ask()).toMatchObject({ status: 200, text: '{"served":true}' })
  expect(harness.served).toEqual(['anna POST 2'])
  expect(harness.faults).toEqual([])
  await harness.close()
})

const own = (text: string): string =>
  text
    .replace('PORT', String(harness.port))
    .replace('KEY-', harness.key.slice(0, -1))
    .replaceAll('KEY', harness.key)

describe('D6: web pages', () => {
  it.each([
    ['host', 'evil.example', 'a name that was rebound to 127.0.0.1 (CVE-2025-66414)'],
    ['host', 'evil.example:PORT', 'such a name with the port'],
    ['host', '127.0.0.1.evil.example:PORT', 'a name that begins like this computer'],
    ['host', '127.0.0.1:1', 'another port'],
    ['host', '127.0.0.1', 'no port'],
    ['host', '0.0.0.0:PORT', 'the address of all networks (0.0.0.0 day)'],
    ['host', 'evil@127.0.0.1:PORT', 'a user before the host'],
    ['origin', 'http://evil.example', 'even with a key'],
    ['origin', 'null', 'even with a key'],
    ['origin', 'http://127.0.0.1:1', 'another port'],
    ['origin', 'https://127.0.0.1:PORT', 'another scheme'],
    ['origin', 'file://', 'a file'],
    ['origin', 'http://127.0.0.1:PORT.evil.example', 'a name that begins like this computer'],
    ['origin', '', 'none'],
    ['host', '[::1]:1', 'another port of the IPv6 address'],
    ['host', 'localhost..:PORT', 'two dots'],
    ['host', 'host.docker.internal:PORT', 'a name that was not added'],
    ['sec-fetch-site', 'cross-site', 'what a page loads without an origin'],
    ['sec-fetch-site', 'same-site', 'a page of another port'],
    ['sec-fetch-site', 'same-origin', 'a page of its own, which there is none of'],
  ])('are rejected with the %s "%s" (%s)', async (name = '', value = '') => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const { status, headers } = await harness.ask({ method, headers: { [name]: own(value) } })
      expect(status).toBe(403)
      expect(Object.keys(headers).filter((one) => one.startsWith('access-control'))).toEqual([])
    }
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'are rejected with a body of the type "%s", which a page could send without preflight',
    async (type) => {
      expect((await harness.ask({ headers: { 'content-type': type } })).status).toBe(415)
    },
  )
})

/** Sends a request that has to be served, and excludes it from the final check. */
const servedOnce = async (asked: Parameters<ListenerHarness['ask']>[0]): Promise<void> => {
  expect((await harness.ask(asked)).status).toBe(200)
  expect(harness.served.splice(0)).toEqual(['anna POST 2'])
}

describe('F7: agents that are built on a browser, run in a container or use other addresses', () => {
  it.each([
    ['Sec-Fetch-Site of an app without a page', 'sec-fetch-site', 'none'],
    ['Host in capitals', 'host', 'LOCALHOST:PORT'],
    ['Host with the trailing dot of the DNS root', 'host', 'localhost.:PORT'],
    ['Host with the IPv6 address', 'host', '[::1]:PORT'],
  ])('are served with a key: %s', async (_what, name, value) => {
    await servedOnce({ headers: { [name]: own(value) } })
    const { status } = await harness.ask({
      headers: { [name]: own(value), authorization: undefined },
    })
    expect(status).toBe(401)
  })

  it.each(['/mcp/', '/mcp?x=1', '/mcp/?x=1&y', '/mcp?'])('are served at %s', async (path) => {
    await servedOnce({ path })
  })

  it('are served by names that the user added, with a key, and by no other name', async () => {
    harness.hostNames = ['host.docker.internal']
    for (const host of [
      'host.docker.internal:PORT',
      'Host.Docker.Internal',
      'host.docker.internal:1',
    ])
      await servedOnce({ headers: { host: own(host) } })
    await servedOnce({
      headers: { host: 'host.docker.internal', origin: 'http://host.docker.internal' },
    })
    for (const host of ['evil.host.docker.internal:PORT', 'host.docker.internal.evil:PORT'])
      expect((await harness.ask({ headers: { host: own(host) } })).status).toBe(403)
    const host = 'host.docker.internal'
    expect((await harness.ask({ headers: { host, authorization: undefined } })).status).toBe(401)
  })

  it('get the rejected host and the place to add a name', async () => {
    const reported = async (host: string): Promise<string> =>
      refusalIn((await harness.ask({ headers: { host } })).text)
    expect(await reported('host.docker.internal:7319')).toMatch(
      /the host host\.docker\.internal:7319,.*Settings > Advanced > Host names/u,
    )
    expect(await reported('<script>')).not.toContain('script')
  })

  it.each(['KEY', 'Bearer Bearer KEY', 'Bearer "KEY"', "Bearer 'KEY'", 'Token KEY', 'Bearer: KEY'])(
    'get the expected form of the header if it is "%s"',
    async (value) => {
      const { status, text } = await harness.ask({ headers: { authorization: own(value) } })
      expect([status, refusalIn(text)]).toEqual([
        401,
        expect.stringContaining('"Authorization: Bearer KEY"'),
      ])
    },
  )
})

describe('D6: authentication', () => {
  it.each([
    ['no key', undefined],
    ['an empty key', 'Bearer '],
    ['a wrong key', `Bearer pb_${'A'.repeat(43)}`],
    ['a malformed key', 'Bearer secret'],
    ['a cut key', 'Bearer KEY-'],
    ['a longer key', 'Bearer KEYx'],
    ['two keys', 'Bearer KEY KEY'],
    ['another scheme', 'Basic KEY'],
    ['no scheme', 'KEY'],
  ])('rejects %s with a message and without sign-in metadata', async (_what, template) => {
    const authorization = template === undefined ? template : own(template)
    const { status, headers, text } = await harness.ask({ headers: { authorization } })
    expect(status).toBe(401)
    expect(refusalIn(text)).toContain('Patchbay > Apps')
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Patchbay"/)
    expect(headers['www-authenticate']).not.toContain('resource_metadata')
  })

  it('checks the current key on each request, also on an authenticated connection', async () => {
    const statusOf = async (key: string, agent?: false): Promise<number> =>
      (await harness.ask({ key, agent })).status
    const old = harness.key
    const wrong = old.slice(0, -1) + (old.endsWith('A') ? 'E' : 'A')
    expect([await statusOf(old), await statusOf(wrong), await statusOf(old)]).toEqual([
      200, 401, 200,
    ])
    harness.key = await harness.agents.renewKey('anna')
    expect([await statusOf(old), await statusOf(old, false)]).toEqual([401, 401])
    const { agentId, key } = await harness.agents.add('Bert', PROFILE)
    expect(await statusOf(key)).toBe(200)
    await harness.agents.remove(agentId)
    expect(await statusOf(key)).toBe(401)
    expect(harness.served.splice(0)).toEqual(['anna POST 2', 'anna POST 2', 'bert POST 2'])
  })
})

describe('D6: requests outside the endpoint', () => {
  it.each([
    ...['//mcp', '/mcp//', '/MCP', '/%6dcp', '/mcp#', '/mcp?a#b', '/mcp;a', '/./mcp', '/x/../mcp'],
    ...['/..%2fmcp', '/mcp%00', '/mcp/../../etc/passwd', 'http://127.0.0.1:PORT/mcp'],
    ...['http://evil.example/mcp', '*', '/', '/socket', '/register', '/mcp/x?key=KEY'],
    ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'],
    // CVE-2025-49596, CVE-2026-23744
    ...['/sse?transportType=stdio&command=calc&args=', '/stdio?transportType=stdio&command=calc'],
    ...['/config', '/api/mcp/connect', '/settings', '/<script>x-evil%0d%0aSet-Cookie:a'],
  ])('are rejected at the path %s, with and without a key', async (path) => {
    for (const method of ['POST', 'GET'])
      for (const authorization of [undefined, own('Bearer KEY')]) {
        const asked = { path: own(path), method, headers: { authorization } }
        const { status, text, headers } = await harness.ask(asked)
        expect(status).toBe(404)
        expect(refusalIn(text)).toContain('/mcp')
        // The response repeats no text of the request.
        expect(`${text}${JSON.stringify(headers)}`).not.toMatch(/script|evil|cookie/iu)
      }
  })

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'are rejected with the method %s',
    async (method) => {
      const { status, headers } = await harness.ask({ method })
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, GET, DELETE' })
    },
  )

  it("can't use the gateway as a proxy or open a WebSocket", async () => {
    const proxied = `CONNECT 127.0.0.1:${String(harness.port)} HTTP/1.1\r\nHost: x\r\n\r\n`
    expect(await harness.statusesOf(proxied)).toEqual([])
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const head = harness.head(...upgrade, 'Content-Length: 2', 'Sec-WebSocket-Key: x')
    const { socket } = await harness.send(`${head}{}`)
    // Served as a normal POST; the upgrade is ignored.
    await expect.poll(() => harness.served.splice(0)).toEqual(['anna POST 2'])
    socket.destroy()
  })

  it('find a listener on 127.0.0.1 and ::1 only (CVE-2025-49596, CVE-2026-23744)', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ address, scopeid }) => !['127.0.0.1', '::1'].includes(address) && !scopeid)
    for (const { address } of others) {
      const socket = connect(harness.port, address)
      const outcome = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected'))
        socket.once('error', () => resolve('refused'))
      })
      socket.destroy()
      expect([address, outcome]).toEqual([address, 'refused'])
    }
  })
})

describe('D6: oversized requests', () => {
  it.each([
    ['by their length before the body is read', 413, `Content-Length: ${MEGABYTE + 1}`],
    [
      'before the transfer if announced with Expect',
      413,
      'Expect: 100-continue\r\nContent-Length: 9999999',
    ],
    ['by their headers', 431, `X-Large: ${'x'.repeat(17 * 1024)}`],
    ['if compressed', 415, 'Content-Encoding: gzip\r\nContent-Length: 2'],
  ])('are rejected %s', async (_what, status, lines) => {
    const back = await (await harness.send(harness.head(lines))).back
    expect(statuses(back)).toEqual([status])
    if (status === 413) expect(refusalIn(back)).toContain('1 MB')
  })

  it('are rejected during the transfer if they have no length, even while the client keeps sending', async () => {
    const chunk = 'x'.repeat(64 * 1024)
    for (const [length, piece] of [
      ['Transfer-Encoding: chunked', `10000\r\n${chunk}\r\n`],
      [`Content-Length: ${String(64 * MEGABYTE)}`, chunk],
    ] as const) {
      const { socket, back } = await harness.send(harness.head(length))
      const sending = setInterval(() => socket.writable && socket.write(piece), 1)
      expect(statuses(await back)).toEqual([413])
      clearInterval(sending)
    }
  })

  it("don't include a body that just fits, or one announced with Expect", async () => {
    const body = `"${'x'.repeat(MEGABYTE - 2)}"`
    expect((await harness.ask({ body })).status).toBe(200)
    const lines = ['Content-Length: 2', 'Expect: 100-continue', 'Connection: close']
    const { socket, back } = await harness.send(harness.head(...lines))
    socket.once('data', () => socket.write('{}'))
    expect(statuses(await back)).toEqual([100, 200])
    expect(harness.served.splice(0)).toEqual([`anna POST ${String(MEGABYTE)}`, 'anna POST 2'])
  })

  it('are rejected if all bodies together are too large', async () => {
    const large = `${harness.head(`Content-Length: ${String(MEGABYTE)}`)}${'x'.repeat(0.9 * MEGABYTE)}`
    const all = await Promise.all([1, 2, 3, 4].map(() => harness.send(large)))
    await expect.poll(() => all.filter(({ socket }) => socket.closed).length).toBe(2)
    for (const { socket } of all) socket.destroy()
    const backs = await Promise.all(all.map(({ back }) => back))
    expect(backs.flatMap(statuses)).toEqual([503, 503])
  })
})

describe('D6: invalid HTTP/1.1', () => {
  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 40'],
    ['two lengths in one', 'Content-Length: 2, 40'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2'],
    ['a coding after chunked', 'Transfer-Encoding: chunked, identity'],
    ['an unknown coding', 'Transfer-Encoding: xchunked'],
    ['a length with a sign', 'Content-Length: +2'],
    ['a negative length', 'Content-Length: -2'],
    ['an endless length', `Content-Length: ${'9'.repeat(40)}`],
    ['a space before the colon', 'Content-Length : 2'],
    ['a folded header', 'X-A: b\r\n Content-Length: 2'],
    ['a bare line feed', 'X-A: b\nContent-Length: 2'],
    ['a zero byte', 'X-A: b\0\r\nContent-Length: 2'],
    ['two hosts', 'Host: evil.example\r\nContent-Length: 2'],
    ['two keys', `Authorization: Bearer x\r\nContent-Length: 2`],
    ['two types', 'Content-Type: text/plain\r\nContent-Length: 2'],
    ['a chunk whose size is wrong', 'Transfer-Encoding: chunked\r\n\r\n2;x="\n"\r\n{}\r\nzz'],
    ['a GET with a body', 'Content-Length: 30', 'GET'],
    ['a DELETE with a body', 'Content-Length: 30', 'DELETE'],
  ])('is rejected: %s', async (_what, lines, method = 'POST') => {
    const head = harness.head(lines).replace('POST', method)
    expect(await harness.statusesOf(`${head}{}${SMUGGLED}`)).toEqual([400])
  })

  it('is rejected as HTTP/1.0, HTTP/2, TLS, noise, or without Host', async () => {
    const good = `${harness.head('Content-Length: 2', 'Connection: close')}{}`
    const tls = '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003'
    for (const [bytes, status] of [
      [good.replace('HTTP/1.1', 'HTTP/1.0'), 505],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      [tls, 400],
      ['\0\0\0\0', 400],
      ['GET /mcp\r\n\r\n', 403],
      [good.replace(/Host: .*\r\n/u, ''), 400],
    ] as const)
      expect(await harness.statusesOf(bytes), bytes).toEqual([status])
  })

  it('ends the connection, and requests after the rejected one are not served', async () => {
    const good = `${harness.head('Content-Length: 2')}{}`
    const rejected = good.replace('/mcp', '/other')
    expect(await harness.statusesOf(rejected + good.repeat(50))).toEqual([404])
  })
})
