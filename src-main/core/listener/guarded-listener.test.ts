import { once } from 'node:events'
import { connect } from 'node:net'

import { afterEach, describe, expect, it } from 'vitest'

import { GuardedListener } from './guarded-listener'
import { AS_PLAIN_TEXT } from './refusal'

const opened: GuardedListener<string>[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

/** Serves every path but `/no`, and notes what it served and what failed of its own. */
async function open(): Promise<{ port: number; served: string[]; faults: unknown[] }> {
  const served: string[] = []
  const faults: unknown[] = []
  const listener = await GuardedListener.open<string>({
    port: 0,
    patience: {},
    judge: ({ url = '' }) =>
      url === '/no' ? { refusal: { status: 404, message: 'Not here.' } } : { who: url },
    serve: (path, _request, response) => {
      served.push(path)
      if (path === '/fails') return Promise.reject(new Error('broken'))
      if (path === '/late') return Promise.resolve({ status: 413, message: 'Too much.' })
      response.end('well')
      return Promise.resolve(undefined)
    },
    onFault: (error) => faults.push(error),
    form: AS_PLAIN_TEXT,
  })
  opened.push(listener)
  return { port: listener.port, served, faults }
}

/** Sends requests in one piece and tells all that comes back until the connection ends. */
async function send(port: number, ...paths: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const told: Buffer[] = []
  socket.on('data', (part: Buffer) => told.push(part))
  const head = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${String(port)}\r\n\r\n`
  socket.write(paths.map(head).join(''))
  await once(socket, 'close')
  return Buffer.concat(told).toString()
}

describe('D6 a guarded listener', () => {
  it('looks at nothing behind a request that it refused', async () => {
    const { port, served } = await open()
    const told = await send(port, '/no', '/yes')
    expect(told).toMatch(/^HTTP\/1\.1 404 .*Not here\.$/su)
    expect(served).toEqual([])
  })

  it('refuses what turns out too much, and says so', async () => {
    const { port, served, faults } = await open()
    expect(await send(port, '/late')).toMatch(/^HTTP\/1\.1 413 .*Too much\.$/su)
    expect([served, faults]).toEqual([['/late'], []])
  })

  it('tells a failure of its own without its words', async () => {
    const { port, faults } = await open()
    const told = await send(port, '/fails')
    expect(told).toMatch(/^HTTP\/1\.1 500 .*Internal error in Patchbay\.$/su)
    expect(told).not.toContain('broken')
    expect(faults).toMatchObject([{ message: 'broken' }])
  })
})
