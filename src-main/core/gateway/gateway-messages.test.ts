import type { Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { Door, readAll, refusalIn, statuses } from '../../../e2e/fixtures/gateway-door'
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

describe('D6 what is too large is refused', () => {
  const MEGABYTE = 1024 * 1024

  it('by the length that it names, before any of it is read', async () => {
    const head = door.head(`Content-Length: ${String(MEGABYTE + 1)}`)
    const back = await door.write(`${head}\r\n\r\n{`)
    expect(statuses(back)).toEqual([413])
    expect(refusalIn(back)).toContain('1 MB')
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
    const head = door.head(`Content-Length: ${String(64 * MEGABYTE)}`)
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(`${head}\r\n\r\n`)
    const sending = setInterval(() => void socket.write('x'.repeat(64 * 1024)), 5)
    expect(statuses(await back)).toEqual([413])
    clearInterval(sending)
  })

  it('and is not even begun where its sender asks first', async () => {
    const head = door.head(`Content-Length: ${String(MEGABYTE + 1)}`, 'Expect: 100-continue')
    expect(statuses(await door.write(`${head}\r\n\r\n`))).toEqual([413])
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(
      `${door.head('Content-Length: 2', 'Expect: 100-continue', 'Connection: close')}\r\n\r\n`,
    )
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
    const head = door.head(`Content-Length: ${String(MEGABYTE)}`)
    const sockets: Socket[] = []
    const backs: Promise<string>[] = []
    for (let count = 0; count < 4; count += 1) {
      const socket = await door.connect()
      backs.push(readAll(socket))
      sockets.push(socket)
      socket.write(`${head}\r\n\r\n${'x'.repeat(0.9 * MEGABYTE)}`)
    }
    await expect.poll(() => sockets.filter(({ closed }) => closed).length).toBe(2)
    for (const socket of sockets) socket.destroy()
    const refused = (await Promise.all(backs)).flatMap(statuses)
    expect(refused).toEqual([503, 503])
    expect(door.served).toEqual([])
  })
})

describe('D6 what is no plain HTTP/1.1 is refused', () => {
  const smuggled = 'GET /mcp HTTP/1.1\r\nHost: x\r\n\r\n'

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 40', [400]],
    ['two lengths in one', 'Content-Length: 2, 40', [400]],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked', [400]],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2', [400]],
    ['chunks that are not the last', 'Transfer-Encoding: chunked, identity', [400]],
    ['a coding that is none', 'Transfer-Encoding: xchunked', [400]],
    ['a length with a sign', 'Content-Length: +2', [400]],
    ['a negative length', 'Content-Length: -2', [400]],
    ['a length without end', `Content-Length: ${'9'.repeat(40)}`, [400]],
    ['a space before the colon', 'Content-Length : 2', [400]],
    ['a folded header', 'X-A: b\r\n Content-Length: 2', [400]],
    ['a bare line feed', 'X-A: b\nContent-Length: 2', [400]],
    ['a zero byte', 'X-A: b\0\r\nContent-Length: 2', [400]],
    ['two hosts', 'Host: evil.example\r\nContent-Length: 2', [400]],
    ['two keys', `Authorization: Bearer x\r\nContent-Length: 2`, [400]],
    ['two types', 'Content-Type: text/plain\r\nContent-Length: 2', [400]],
  ])('%s', async (_what, lines, expected) => {
    const back = await door.write(`${door.head(lines)}\r\n\r\n{}${smuggled}`)
    expect(statuses(back)).toEqual(expected)
    expect(door.served).toEqual([])
  })

  it('a GET and a DELETE with a body', async () => {
    for (const method of ['GET', 'DELETE']) {
      const head = door.head('Content-Length: 30').replace('POST', method)
      expect(statuses(await door.write(`${head}\r\n\r\n${smuggled}`))).toEqual([400])
    }
    expect(door.served).toEqual([])
  })

  it('a chunk whose size is wrong', async () => {
    const head = door.head('Transfer-Encoding: chunked')
    const back = await door.write(`${head}\r\n\r\n2;x="\n"\r\n{}\r\nzz\r\n${smuggled}`)
    expect(statuses(back)).toEqual([400])
    expect(door.served).toEqual([])
  })

  it('HTTP/1.0, HTTP/2, TLS and noise', async () => {
    const old = door.head('Content-Length: 2').replace('HTTP/1.1', 'HTTP/1.0')
    expect(statuses(await door.write(`${old}\r\n\r\n{}`))).toEqual([505])
    const tls = '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003'
    for (const bytes of ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', tls, '\0\0\0\0'])
      expect(statuses(await door.write(bytes))).toEqual([400])
    expect(statuses(await door.write('GET /mcp\r\n\r\n'))).toEqual([403])
    expect(door.served).toEqual([])
  })

  it('no Host at all', async () => {
    const head = door.head('Content-Length: 2', 'Connection: close').replace(/Host: .*\r\n/u, '')
    expect(statuses(await door.write(`${head}\r\n\r\n{}`))).toEqual([400])
    expect(door.served).toEqual([])
  })

  it('what follows a request that was refused', async () => {
    const good = `${door.head('Content-Length: 2')}\r\n\r\n{}`
    const bad = good.replace('/mcp', '/other')
    const back = await door.write(bad + good.repeat(50))
    expect(statuses(back)).toEqual([404])
    expect(door.served).toEqual([])
  })

  it('tells nothing of what was sent', async () => {
    const { text, headers } = await door.ask({ path: '/<script>x-evil%0d%0aSet-Cookie:a' })
    expect(`${text}${JSON.stringify(headers)}`).not.toMatch(/script|evil|cookie/iu)
  })
})
