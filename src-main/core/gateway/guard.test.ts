import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { Door, PROFILE, readAll, refusalIn, statuses } from '../../../e2e/fixtures/gateway-door'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'

const MEGABYTE = 1024 * 1024
/** A request that must never be read as one. */
const SMUGGLED = 'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n'

let door: Door
beforeEach(async () => {
  door = await new Door(tempFolder('door')).open()
})
afterEach(async () => {
  // Whatever was tried: who has a key goes on being served, and nothing else was.
  door.served.length = 0
  expect(await door.ask()).toMatchObject({ status: 200, text: '{"served":true}' })
  expect(door.served).toEqual(['anna POST 2'])
  expect(door.faults).toEqual([])
  await door.close()
})

describe('D6 pages of a browser have no access', () => {
  it.each([
    ['a name that was rebound to 127.0.0.1 (CVE-2025-66414)', 'evil.example'],
    ['such a name with the port', 'evil.example:PORT'],
    ['a name that begins like this computer', '127.0.0.1.evil.example:PORT'],
    ['another port', '127.0.0.1:1'],
    ['no port', '127.0.0.1'],
    ['the address of all networks (0.0.0.0 day)', '0.0.0.0:PORT'],
    ['a user before the host', 'evil@127.0.0.1:PORT'],
  ])('refuses a Host of %s', async (_what, host) => {
    const headers = { host: host.replace('PORT', String(door.port)) }
    const { status, text } = await door.ask({ headers })
    expect(status).toBe(403)
    expect(refusalIn(text)).toContain('127.0.0.1 only')
    expect(door.served).toEqual([])
  })

  it.each([
    ...['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1:PORT'],
    ...['file://', 'http://127.0.0.1:PORT.evil.example', ''],
  ])('refuses the Origin "%s", even with a key', async (origin) => {
    const headers = { origin: origin.replace('PORT', String(door.port)) }
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const { status, headers: answered } = await door.ask({ method, headers })
      expect(status).toBe(403)
      expect(Object.keys(answered).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect(door.served).toEqual([])
  })

  it('refuses what a page loads without an origin', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    expect((await door.ask({ method: 'GET', headers })).status).toBe(403)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'refuses a body of the type "%s", which a page could send unasked',
    async (type) => {
      expect((await door.ask({ headers: { 'content-type': type } })).status).toBe(415)
    },
  )
})

describe('D6 nobody is served without a valid key', () => {
  it.each([
    ['no key', undefined],
    ['an empty one', 'Bearer '],
    ['a wrong one', `Bearer pb_${'A'.repeat(43)}`],
    ['one of another form', 'Bearer secret'],
    ['one that is cut', 'Bearer KEY-'],
    ['a longer one', 'Bearer KEYx'],
    ['two', 'Bearer KEY KEY'],
    ['another scheme', 'Basic KEY'],
    ['no scheme', 'KEY'],
  ])('refuses %s with words and without a sign-in to look for', async (_what, template) => {
    const authorization = template
      ?.replace('KEY-', door.key.slice(0, -1))
      .replaceAll('KEY', door.key)
    const { status, headers, text } = await door.ask({ headers: { authorization } })
    expect(status).toBe(401)
    expect(refusalIn(text)).toContain('Patchbay > Apps')
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="Patchbay"/)
    expect(headers['www-authenticate']).not.toContain('resource_metadata')
    expect(door.served).toEqual([])
  })

  it('takes no key from the address', async () => {
    const headers = { authorization: undefined }
    expect((await door.ask({ path: `/mcp?key=${door.key}`, headers })).status).toBe(404)
  })

  it('asks each request for the key of now, also on a connection on which one was shown', async () => {
    expect((await door.ask()).status).toBe(200)
    const old = door.key
    const last = old.endsWith('A') ? 'E' : 'A'
    const wrong = { authorization: `Bearer ${old.slice(0, -1)}${last}` }
    expect((await door.ask({ headers: wrong })).status).toBe(401)
    expect((await door.ask()).status).toBe(200)
    door.key = await door.agents.renewKey('anna')
    const headers = { authorization: `Bearer ${old}` }
    expect((await door.ask({ headers })).status).toBe(401)
    expect((await door.ask({ headers, agent: false })).status).toBe(401)
  })

  it('refuses the key of a removed agent', async () => {
    const { agentId, key } = await door.agents.add('Bert', PROFILE)
    const headers = { authorization: `Bearer ${key}` }
    expect((await door.ask({ headers })).status).toBe(200)
    await door.agents.remove(agentId)
    expect((await door.ask({ headers })).status).toBe(401)
  })
})

describe('D6 nothing but the endpoint is served', () => {
  it.each([
    ...['//mcp', '/mcp/', '/MCP', '/%6dcp', '/mcp?', '/mcp#', '/mcp;a', '/./mcp', '/x/../mcp'],
    ...['/..%2fmcp', '/mcp%00', '/mcp/../../etc/passwd', 'http://127.0.0.1:PORT/mcp'],
    ...['http://evil.example/mcp', '*', '/', '/socket', '/register'],
    ...['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server'],
  ])('refuses the path %s', async (path) => {
    const { status, text } = await door.ask({ path: path.replace('PORT', String(door.port)) })
    expect(status).toBe(404)
    expect(refusalIn(text)).toContain('/mcp')
    expect(door.served).toEqual([])
  })

  it.each([
    ['CVE-2025-49596', 'GET', '/sse?transportType=stdio&command=calc&args='],
    ['CVE-2025-49596', 'GET', '/stdio?transportType=stdio&command=calc'],
    ['CVE-2025-49596', 'GET', '/config'],
    ['CVE-2026-23744', 'POST', '/api/mcp/connect'],
    ['settings', 'GET', '/settings'],
  ])('spawns, configures and tells nothing (%s: %s %s)', async (_what, method, path) => {
    for (const authorization of [undefined, `Bearer ${door.key}`])
      expect((await door.ask({ method, path, headers: { authorization } })).status).toBe(404)
    expect(door.served).toEqual([])
  })

  it.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    'refuses the method %s',
    async (method) => {
      const { status, headers } = await door.ask({ method })
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST, GET, DELETE' })
      expect(door.served).toEqual([])
    },
  )

  it('is no proxy', async () => {
    const proxied = `CONNECT 127.0.0.1:${String(door.port)} HTTP/1.1\r\nHost: x\r\n\r\n`
    expect(await door.write(proxied)).toBe('')
  })

  it('opens no socket', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const socket = await door.connect()
    socket.write(`${door.head(...upgrade, 'Content-Length: 2', 'Sec-WebSocket-Key: x')}\r\n\r\n{}`)
    // Served as the POST it is; the wish for another protocol is not heard.
    await expect.poll(() => door.served).toEqual(['anna POST 2'])
    socket.destroy()
  })

  it('listens on 127.0.0.1 alone (CVE-2025-49596, CVE-2026-23744)', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
    for (const { address } of others) {
      const socket = connect(door.port, address)
      const outcome = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected'))
        socket.once('error', () => resolve('refused'))
      })
      socket.destroy()
      expect([address, outcome]).toEqual([address, 'refused'])
    }
  })
})

describe('D6 what is too large is refused', () => {
  it.each([
    ['by the length that it names, before any of it is read', `Content-Length: ${MEGABYTE + 1}`],
    ['before it begins, where its sender asks', 'Expect: 100-continue\r\nContent-Length: 9999999'],
  ])('%s', async (_what, lines) => {
    const back = await door.write(`${door.head(lines)}\r\n\r\n`)
    expect(statuses(back)).toEqual([413])
    expect(refusalIn(back)).toContain('1 MB')
    expect(door.served).toEqual([])
  })

  it('while it comes, where it names none', async () => {
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(`${door.head('Transfer-Encoding: chunked')}\r\n\r\n`)
    const chunk = 'x'.repeat(64 * 1024)
    for (let sent = 0; sent <= MEGABYTE && socket.writable; sent += chunk.length)
      socket.write(`10000\r\n${chunk}\r\n`)
    expect(statuses(await back)).toEqual([413])
    expect(door.served).toEqual([])
  })

  it('but not what just fits', async () => {
    const body = `"${'x'.repeat(MEGABYTE - 2)}"`
    expect((await door.ask({ body })).status).toBe(200)
    expect(door.served).toEqual([`anna POST ${String(MEGABYTE)}`])
  })

  it('is told so although it goes on sending', async () => {
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(`${door.head(`Content-Length: ${String(64 * MEGABYTE)}`)}\r\n\r\n`)
    const sending = setInterval(() => void socket.write('x'.repeat(64 * 1024)), 5)
    expect(statuses(await back)).toEqual([413])
    clearInterval(sending)
  })

  it('and begun where its sender asks first and it fits', async () => {
    const socket = await door.connect()
    const back = readAll(socket)
    const lines = ['Content-Length: 2', 'Expect: 100-continue', 'Connection: close']
    socket.write(`${door.head(...lines)}\r\n\r\n`)
    socket.once('data', () => socket.write('{}'))
    expect(statuses(await back)).toEqual([100, 200])
  })

  it('whatever is compressed', async () => {
    expect((await door.ask({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect(door.served).toEqual([])
  })

  it('by its headers', async () => {
    const back = await door.write(`${door.head(`X-Large: ${'x'.repeat(17 * 1024)}`)}\r\n\r\n`)
    expect(statuses(back)).toEqual([431])
    expect(refusalIn(back)).toContain('headers')
  })

  it('all of them together', async () => {
    const sockets: Socket[] = []
    const backs: Promise<string>[] = []
    for (let count = 0; count < 4; count += 1) {
      const socket = await door.connect()
      backs.push(readAll(socket))
      sockets.push(socket)
      const head = door.head(`Content-Length: ${String(MEGABYTE)}`)
      socket.write(`${head}\r\n\r\n${'x'.repeat(0.9 * MEGABYTE)}`)
    }
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(2)
    for (const socket of sockets) socket.destroy()
    expect((await Promise.all(backs)).flatMap(statuses)).toEqual([503, 503])
    expect(door.served).toEqual([])
  })
})

describe('D6 what is no plain HTTP/1.1 is refused', () => {
  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 40'],
    ['two lengths in one', 'Content-Length: 2, 40'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2'],
    ['chunks that are not the last', 'Transfer-Encoding: chunked, identity'],
    ['a coding that is none', 'Transfer-Encoding: xchunked'],
    ['a length with a sign', 'Content-Length: +2'],
    ['a negative length', 'Content-Length: -2'],
    ['a length without end', `Content-Length: ${'9'.repeat(40)}`],
    ['a space before the colon', 'Content-Length : 2'],
    ['a folded header', 'X-A: b\r\n Content-Length: 2'],
    ['a bare line feed', 'X-A: b\nContent-Length: 2'],
    ['a zero byte', 'X-A: b\0\r\nContent-Length: 2'],
    ['two hosts', 'Host: evil.example\r\nContent-Length: 2'],
    ['two keys', `Authorization: Bearer x\r\nContent-Length: 2`],
    ['two types', 'Content-Type: text/plain\r\nContent-Length: 2'],
    ['a chunk whose size is wrong', 'Transfer-Encoding: chunked\r\n\r\n2;x="\n"\r\n{}\r\nzz'],
  ])('%s', async (_what, lines) => {
    expect(statuses(await door.write(`${door.head(lines)}\r\n\r\n{}${SMUGGLED}`))).toEqual([400])
    expect(door.served).toEqual([])
  })

  it.each(['GET', 'DELETE'])('a %s with a body', async (method) => {
    const head = door.head('Content-Length: 30').replace('POST', method)
    expect(statuses(await door.write(`${head}\r\n\r\n${SMUGGLED}`))).toEqual([400])
    expect(door.served).toEqual([])
  })

  it('HTTP/1.0, HTTP/2, TLS and noise, and no Host at all', async () => {
    const head = door.head('Content-Length: 2', 'Connection: close')
    const tls = '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003'
    for (const [bytes, status] of [
      [`${head.replace('HTTP/1.1', 'HTTP/1.0')}\r\n\r\n{}`, 505],
      ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      [tls, 400],
      ['\0\0\0\0', 400],
      ['GET /mcp\r\n\r\n', 403],
      [`${head.replace(/Host: .*\r\n/u, '')}\r\n\r\n{}`, 400],
    ] as const)
      expect(statuses(await door.write(bytes)), bytes).toEqual([status])
    expect(door.served).toEqual([])
  })

  it('what follows a request that was refused', async () => {
    const good = `${door.head('Content-Length: 2')}\r\n\r\n{}`
    const back = await door.write(good.replace('/mcp', '/other') + good.repeat(50))
    expect(statuses(back)).toEqual([404])
    expect(door.served).toEqual([])
  })

  it('tells nothing of what was sent', async () => {
    const { text, headers } = await door.ask({ path: '/<script>x-evil%0d%0aSet-Cookie:a' })
    expect(`${text}${JSON.stringify(headers)}`).not.toMatch(/script|evil|cookie/iu)
  })
})
