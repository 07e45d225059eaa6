import { createServer } from 'node:net'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { freePort } from '../../../../e2e/fixtures/free-port'
import { isRunning } from '../../../../e2e/fixtures/is-running'
import { node, Supervisors } from '../../../../e2e/fixtures/supervisors'
import { isFailed } from '../../../../src-shared/domain/running/run-status'
import type { SessionSupervisor } from '../../servers/session-supervisor'
import { isAnswered } from './local-http'

const SERVES = join(import.meta.dirname, '../../../../e2e/servers/serves.mjs')

let supervisors: Supervisors
let stack: AsyncDisposableStack
let port: number
let url: URL

beforeEach(async () => {
  stack = new AsyncDisposableStack()
  supervisors = stack.use(new Supervisors())
  port = await freePort()
  url = new URL(`http://127.0.0.1:${String(port)}/mcp`)
})

afterEach(() => stack.disposeAsync())

type Opening = Parameters<Supervisors['open']>[0]

function open(delay = '0', more: Opening = {}) {
  return supervisors.open({
    spec: node(SERVES, String(port), delay),
    serves: { url, headers: {}, transport: 'streamable-http' },
    ...more,
  })
}

const until = (server: SessionSupervisor, kind: string) =>
  expect.poll(() => JSON.stringify(server.status)).toContain(`"kind":"${kind}"`)

const call = (server: SessionSupervisor, name: string, args: object = {}) =>
  server.session?.request('tools/call', { name, arguments: args })

const failure = (server: SessionSupervisor): unknown[] =>
  isFailed(server.status) ? [server.status.code, server.status.message] : [server.status]

const pid = (server: SessionSupervisor): number => server.session?.pid ?? 0

describe('C10 a package that serves HTTP on this computer', () => {
  it('is waited for until it listens, and what it writes to stdout is in the log', async () => {
    const { server, lines } = open('700')
    server.start()
    await until(server, 'ready')
    expect(await call(server, 'echo', { a: 1 })).toMatchObject({ content: [{ text: '{"a":1}' }] })
    expect(lines()).toContain(`pid ${String(pid(server))}`)
    expect(lines()).toContain('Listening')
    expect(server.faults.noiseLines).toBe(0)
    expect(server.phases.map(({ phase }) => phase)).toEqual([
      'resolve',
      'install',
      'spawn',
      'handshake',
      'discover',
    ])
  })

  it('is not started where something else answers at its port', async () => {
    const other = createServer().listen(port, '127.0.0.1')
    stack.defer(() => new Promise<void>((resolve) => void other.close(() => resolve())))
    const { server, lines } = open()
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'SPAWN_FAILED',
      `Not started: another program already responds at ${url.host}.`,
    ])
    expect(lines().filter((line) => line.startsWith('pid'))).toEqual([])
    expect(supervisors.marked()).toEqual([])
  })

  it.each([
    ['cuts', 'cuts every connection', 0],
    ['busy', 'is answered 503 for', 1],
  ])(
    'is waited for where its port answers before it does, with "%s" as one that %s at first, on the same child',
    async (kind, _title, notes) => {
      const found: object[] = []
      const remember = (one: object) => void found.push(one)
      const spoken = () => ({ era: undefined, transport: undefined, remember })
      const { server, lines } = open(kind, { spoken })
      server.start()
      await until(server, 'ready')
      expect(await call(server, 'echo', { a: 1 })).toMatchObject({ content: [{ text: '{"a":1}' }] })
      expect(lines().filter((line) => line.startsWith('pid'))).toHaveLength(1)
      const told = 'The server returns 503. Retrying until it is ready'
      expect(lines().filter((line) => line === told)).toHaveLength(notes)
      // It was answered, and no guess.
      expect(found).toEqual([{ era: 'legacy' }])
    },
  )

  it('is taken for the older era by the next start where the question for it ended it', async () => {
    const found: object[] = []
    const remember = (one: object) => void found.push(one)
    const { server } = open('dies', {
      spoken: () => ({ era: undefined, transport: undefined, remember }),
    })
    server.start()
    await until(server, 'error')
    expect([failure(server)[0], found]).toEqual([
      'SERVER_EXITED',
      [{ era: 'legacy', isGuess: true }],
    ])
  })

  it('that ends before it listens tells its exit code and its last words, at once', async () => {
    const { server } = open('ends', { handshakeMs: 60_000 })
    server.start()
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'SERVER_EXITED',
      'The server exited with code 3 before it responded.',
    ])
    expect(server.status).toMatchObject({ stderrTail: ['No licence'] })
  })

  it('that never listens fails by the limit of the handshake and leaves nothing behind', async () => {
    const { server } = open('600000', { handshakeMs: 800 })
    server.start()
    await until(server, 'error')
    expect(failure(server)[0]).toBe('PHASE_TIMEOUT')
    await expect.poll(() => supervisors.marked()).toEqual([])
  })

  it('ends with its connection when it is stopped, and can be started at the same port again', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    const child = pid(server)
    await server.stop()
    expect([isRunning(child), await isAnswered(url)]).toEqual([false, false])
    server.start()
    await until(server, 'ready')
    expect(pid(server)).not.toBe(child)
  })

  it.skipIf(process.platform === 'win32')(
    'is told to end at once where it leaves the end of its session unanswered',
    async () => {
      const { server, lines } = open('stays')
      server.start()
      await until(server, 'ready')
      const child = pid(server)
      await server.stop()
      expect(isRunning(child)).toBe(false)
      await expect.poll(lines).toContain('Both at once')
    },
  )

  it.skipIf(process.platform === 'win32')('that is killed is lost, with the signal', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    process.kill(pid(server), 'SIGKILL')
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'SERVER_KILLED',
      'The server was ended by SIGKILL while in use.',
    ])
  })

  it('that ends in a call fails it with the exit code', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    await expect(call(server, 'exit')).rejects.toMatchObject({
      code: 'SERVER_EXITED',
      message: expect.stringContaining('code 4') as string,
    })
    await until(server, 'error')
  })

  it('that ends in the middle of an answer fails the call, and is lost with the exit code', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    await expect(call(server, 'cutExit')).rejects.toMatchObject({
      code: 'SERVER_EXITED',
      message: expect.stringContaining('code 4') as string,
    })
    await until(server, 'error')
    expect(failure(server)).toEqual([
      'SERVER_EXITED',
      'The server exited with code 4 while in use.',
    ])
  })

  it('that cuts an answer in the middle fails that call alone, and goes on', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    const child = pid(server)
    await expect(call(server, 'cut')).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: `Can’t reach ${url.host}: the connection was closed (UND_ERR_SOCKET).`,
    })
    expect(await call(server, 'echo', { a: 1 })).toMatchObject({ content: [{ text: '{"a":1}' }] })
    expect([server.status.kind, pid(server)]).toEqual(['ready', child])
  })

  it('is started anew by a reconnect, as no two of it can hold its port', async () => {
    const { server } = open()
    server.start()
    await until(server, 'ready')
    const child = pid(server)
    expect(server.reconnect()).toBe(true)
    await expect.poll(() => [pid(server) !== child, server.status.kind]).toEqual([true, 'ready'])
    expect(isRunning(child)).toBe(false)
  })

  it('that forgot the session is lost and comes back as another process', async () => {
    const { server, lines } = open('0', { settings: { startsAgain: true } })
    server.start()
    await until(server, 'ready')
    const child = pid(server)
    await call(server, 'forget')
    await call(server, 'echo')?.catch(() => undefined)
    await expect.poll(() => [pid(server) !== child, server.status.kind]).toEqual([true, 'ready'])
    expect(lines()).toContain(`${url.host} no longer knows the session.`)
    expect(isRunning(child)).toBe(false)
  })
})
