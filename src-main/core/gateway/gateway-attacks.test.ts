import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { Door, PROFILE, refusalIn } from '../../../e2e/fixtures/gateway-door'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'

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
    ['http://evil.example'],
    ['null'],
    ['http://127.0.0.1:1'],
    ['https://127.0.0.1:PORT'],
    ['file://'],
    ['http://127.0.0.1:PORT.evil.example'],
    [''],
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

  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonp'], ['']])(
    'refuses a body of the type "%s", which a page could send unasked',
    async (type) => {
      const { status } = await door.ask({ headers: { 'content-type': type } })
      expect(status).toBe(415)
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
    const { status } = await door.ask({ path: `/mcp?key=${door.key}`, headers })
    expect(status).toBe(404)
  })

  it('refuses the key of before, on a connection that was open too', async () => {
    expect((await door.ask()).status).toBe(200)
    const old = door.key
    door.key = await door.agents.renewKey('anna')
    const headers = { authorization: `Bearer ${old}` }
    expect((await door.ask({ headers })).status).toBe(401)
    expect((await door.ask({ headers, agent: false })).status).toBe(401)
  })

  it('asks each request for its key, also on a connection on which one was shown', async () => {
    expect((await door.ask()).status).toBe(200)
    const wrong = {
      authorization: `Bearer ${door.key.slice(0, -1)}${door.key.endsWith('A') ? 'E' : 'A'}`,
    }
    expect((await door.ask({ headers: wrong })).status).toBe(401)
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
    ['//mcp'],
    ['/mcp/'],
    ['/MCP'],
    ['/%6dcp'],
    ['/mcp?'],
    ['/mcp#'],
    ['/mcp;a'],
    ['/./mcp'],
    ['/x/../mcp'],
    ['/..%2fmcp'],
    ['/mcp%00'],
    ['/mcp/../../etc/passwd'],
    ['http://127.0.0.1:PORT/mcp'],
    ['http://evil.example/mcp'],
    ['*'],
    ['/'],
    ['/socket'],
    ['/.well-known/oauth-protected-resource'],
    ['/.well-known/oauth-authorization-server'],
    ['/register'],
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
    for (const authorization of [undefined, `Bearer ${door.key}`]) {
      const { status } = await door.ask({ method, path, headers: { authorization } })
      expect(status).toBe(404)
    }
    expect(door.served).toEqual([])
  })

  it.each([['PUT'], ['PATCH'], ['HEAD'], ['OPTIONS'], ['TRACE'], ['PROPFIND']])(
    'refuses the method %s',
    async (method) => {
      const { status, headers } = await door.ask({ method })
      expect(status).toBe(405)
      expect(headers.allow).toBe('POST, GET, DELETE')
      expect(door.served).toEqual([])
    },
  )

  it('is no proxy', async () => {
    const back = await door.write(
      `CONNECT 127.0.0.1:${String(door.port)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(back).toBe('')
  })

  it('opens no socket', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const head = door.head(...upgrade, 'Content-Length: 2', 'Sec-WebSocket-Key: x')
    const socket = await door.connect()
    socket.write(`${head}\r\n\r\n{}`)
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
