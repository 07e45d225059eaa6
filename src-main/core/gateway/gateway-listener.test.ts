import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  Door,
  openStream,
  PROFILE,
  readAll,
  refusalIn,
  statuses,
} from '../../../e2e/fixtures/gateway-door'
import { pause } from '../../../e2e/fixtures/pause'
import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { MAX_STRANGERS, type Patience } from './gateway-listener'

/** What is slow is cut off soon; whether it still hears why is up to what it sends meanwhile. */
const IMPATIENT: Patience = {
  headersTimeout: 1_500,
  requestTimeout: 2_000,
  connectionsCheckingInterval: 50,
}

let door: Door
beforeEach(() => {
  door = new Door(tempFolder('door'))
})
afterEach(() => door.close())

describe('D6 what is slow', () => {
  it.each([
    ['says nothing', ''],
    ['dribbles a head', 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '],
  ])('is cut off where it %s', async (_what, start) => {
    await door.open(IMPATIENT)
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(start)
    const dribbling = setInterval(() => start !== '' && socket.write('x'), 20)
    expect([[408], []]).toContainEqual(statuses(await back))
    clearInterval(dribbling)
    expect((await door.ask()).status).toBe(200)
  })

  it('is cut off where it dribbles a body', async () => {
    await door.open(IMPATIENT)
    const socket = await door.connect()
    const back = readAll(socket)
    socket.write(`${door.head('Content-Length: 100000')}\r\n\r\n`)
    const dribbling = setInterval(() => void socket.write('x'), 20)
    expect((await door.ask()).status).toBe(200)
    expect([[408], []]).toContainEqual(statuses(await back))
    clearInterval(dribbling)
    expect(door.served).toEqual(['anna POST 2'])
  })

  it('is not the answer, nor a stream', async () => {
    await door.open(IMPATIENT)
    door.answer = async ({ request: asking, response }) => {
      response.writeHead(200).flushHeaders()
      await pause(4_000)
      if (asking.method === 'POST') response.end('{"late":true}')
    }
    const stream = await door.listen()
    expect(await door.ask()).toMatchObject({ status: 200, text: '{"late":true}' })
    expect(stream.socket.destroyed).toBe(false)
    stream.socket.destroy()
  })
})

describe('D6 a crowd of strangers', () => {
  it('of 10,000 connections keeps nobody out who has a key', async () => {
    await door.open()
    door.answer = openStream
    const stream = await door.listen()
    const strangers = new Set<Socket>()
    let met = 0
    const openOne = async (): Promise<void> => {
      const socket = connect(door.port, '127.0.0.1')
      strangers.add(socket)
      socket.on('error', () => undefined).on('close', () => strangers.delete(socket))
      await once(socket, 'connect')
      met += 1
    }
    const good: number[] = []
    while (met < 10_000) {
      const wave = Array.from({ length: 100 }, openOne)
      good.push((await door.ask()).status, (await door.ask({ agent: false })).status)
      await Promise.all(wave)
    }
    expect(good).toEqual(good.map(() => 200))
    await expect.poll(() => strangers.size).toBeLessThanOrEqual(MAX_STRANGERS)
    expect((await door.ask()).status).toBe(200)
    for (const socket of strangers) socket.destroy()
    expect(stream.socket.destroyed).toBe(false)
    stream.socket.destroy()
    expect(door.served).toHaveLength(good.length + 2)
  })
})

describe('D6 an agent whose key is void', () => {
  it('is cut at once, whatever is under way, and no other', async () => {
    await door.open()
    const bert = (await door.agents.add('Bert', PROFILE)).key
    door.answer = openStream
    const streams = await Promise.all([door.listen(), door.listen()])
    const other = await door.listen(bert)
    door.answer = () => undefined
    const call = door.ask()
    await expect.poll(() => door.served.length).toBe(4)
    await door.agents.renewKey('anna')
    door.listener.cut('anna')
    await expect(call).rejects.toThrow()
    await Promise.all(streams.map(({ ended }) => ended))
    await expect.poll(() => door.listener.connectionsOf('anna')).toBe(0)
    expect(other.socket.destroyed).toBe(false)
    expect(door.listener.connectionsOf('bert')).toBe(1)
    other.socket.destroy()
  })
})

describe('D6 the endpoint', () => {
  it('is asked over one connection again and again', async () => {
    await door.open()
    for (let round = 0; round < 20; round += 1) await door.ask()
    expect(door.listener.connectionsOf('anna')).toBe(1)
    expect(door.served).toHaveLength(20)
  })

  it('may fail at a request without an end to others', async () => {
    await door.open()
    door.answer = () => {
      throw new Error('broken')
    }
    const { status, text } = await door.ask()
    expect(status).toBe(500)
    expect(refusalIn(text)).not.toContain('broken')
    door.answer = ({ response }) => {
      response.writeHead(200, { 'content-length': 9 }).flushHeaders()
      throw new Error('half')
    }
    await expect(door.ask()).rejects.toThrow()
    door.answer = undefined
    expect((await door.ask()).status).toBe(200)
    expect(door.faults.map(String)).toEqual(['Error: broken', 'Error: half'])
  })

  it('hears nothing of a body whose sender is gone, and keeps no room for it', async () => {
    await door.open()
    const most = 'x'.repeat(900 * 1024)
    for (let round = 0; round < 4; round += 1) {
      const socket = await door.connect()
      socket.write(`${door.head('Content-Length: 1000000')}\r\n\r\n${most}`)
      await expect.poll(() => door.listener.connectionsOf('anna')).toBe(1)
      socket.resetAndDestroy()
      await expect.poll(() => door.listener.connectionsOf('anna')).toBe(0)
    }
    expect(door.served).toEqual([])
    expect((await door.ask({ body: most })).status).toBe(200)
    expect(door.faults).toEqual([])
  })
})
