import { createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { freePort } from '../../../../e2e/fixtures/free-port'
import { isRunning } from '../../../../e2e/fixtures/is-running'
import { spokenMemory, started } from '../../../../e2e/fixtures/supervised'
import { node } from '../../../../e2e/fixtures/test-servers'
import { acceptsConnections } from './local-http'

const SERVES = join(import.meta.dirname, '../../../../e2e/servers/serves.mjs')

/** Starts a server that serves HTTP in this way, and waits for a status of this kind. */
async function open(
  way = '0',
  kind = 'ready',
  more: Partial<Parameters<typeof started>[0]> = {},
  port?: number,
) {
  const ownPort = port ?? (await freePort())
  const url = new URL(`http://127.0.0.1:${ownPort}/mcp`)
  const spec = node(SERVES, String(ownPort), way)
  const serves = { url, headers: {}, transport: 'streamable-http' } as const
  const opened = await started({ spec, serves, ...more }, kind)
  const pid = (): number => opened.server.session?.pid ?? 0
  const starts = (): number => opened.lines().filter((line) => line.startsWith('pid')).length
  return { ...opened, url, pid, starts }
}

const ECHO = { content: [{ text: '{"a":1}' }] }

describe('C10: a package that serves HTTP on this computer', () => {
  it('is ready once it listens, and its stdout is in the log', async () => {
    const { server, lines, call, pid } = await open('700')
    expect(await call('echo', { a: 1 })).toMatchObject(ECHO)
    expect(lines()).toContain(`pid ${pid()}`)
    expect(lines()).toContain('Listening')
    expect(server.faults.noiseLines).toBe(0)
    const phases = ['resolve', 'install', 'spawn', 'handshake', 'discover']
    expect(server.phases.map(({ phase }) => phase)).toEqual(phases)
  })

  it('is not started if another program responds at its port', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => void other.close())
    const { failure, starts, supervisors, url } = await open('0', 'error', {}, port)
    const message = `Not started: another program already responds at ${url.host}.`
    expect(failure()).toEqual(['SPAWN_FAILED', message])
    expect([starts(), supervisors.marked()]).toEqual([0, []])
  })

  it.each([
    ['cuts', 0],
    ['busy', 1],
  ])('is waited for if its port responds earlier: %s', async (way, notes) => {
    const { found, spoken } = spokenMemory()
    const { call, lines, starts } = await open(way, 'ready', { spoken: () => spoken })
    expect(await call('echo', { a: 1 })).toMatchObject(ECHO)
    expect(starts()).toBe(1)
    const note = 'The server returns 503. Retrying until it is ready'
    expect(lines().filter((line) => line === note)).toHaveLength(notes)
    // A response, not a guess.
    expect(found).toEqual([{ protocolMode: 'sessions' }])
  })

  it('is remembered as a server with sessions if the probe ended it', async () => {
    const { found, spoken } = spokenMemory()
    const { failure } = await open('dies', 'error', { spoken: () => spoken })
    expect([failure()[0], found]).toEqual([
      'SERVER_EXITED',
      [{ protocolMode: 'sessions', isGuess: true }],
    ])
  })

  it('fails with exit code and last lines if it exits before it listens', async () => {
    const { server, failure } = await open('ends', 'error', { handshakeMs: 60_000 })
    const message = 'The server exited with code 3 before it responded.'
    expect(failure()).toEqual(['SERVER_EXITED', message])
    expect(server.status).toMatchObject({
      stderrTail: [expect.stringMatching(/^pid \d+$/u) as string, 'No licence'],
    })
  })

  it('fails at the time limit of the handshake if it never listens, and leaves no process behind', async () => {
    const { failure, supervisors } = await open('600000', 'error', { handshakeMs: 800 })
    expect(failure()[0]).toBe('PHASE_TIMEOUT')
    await expect.poll(() => supervisors.marked()).toEqual([])
  })

  it('is replaced if it forgot the session', async () => {
    const { server, call, lines, pid, url } = await open('0', 'ready', {
      settings: { startsAgain: true },
    })
    const child = pid()
    await call('forget')
    await call('echo').catch(() => undefined)
    await expect.poll(() => [pid() !== child, server.status.kind]).toEqual([true, 'ready'])
    expect(lines()).toContain(`${url.host} no longer knows the session.`)
    expect(isRunning(child)).toBe(false)
  })

  it('fails only the call whose response it cuts', async () => {
    const { server, call, pid, url } = await open()
    const child = pid()
    await expect(call('cut')).rejects.toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: `The connection to ${url.host} ended before the response to tools/call arrived (UND_ERR_SOCKET).`,
    })
    expect(await call('echo', { a: 1 })).toMatchObject(ECHO)
    expect([server.status.kind, pid()]).toEqual(['ready', child])
  })

  it.each(['exit', 'cutExit'])(
    'fails a call with its exit code if it exits during: %s',
    async (name) => {
      const { call, until, failure } = await open()
      await expect(call(name)).rejects.toMatchObject({
        code: 'SERVER_EXITED',
        message: expect.stringContaining('code 4') as string,
      })
      await until('error')
      expect(failure()).toEqual(['SERVER_EXITED', 'The server exited with code 4 while in use.'])
    },
  )

  it.skipIf(process.platform === 'win32')(
    "gets SIGTERM immediately if it doesn't respond to the end of its session, and can start again",
    async () => {
      const { server, lines, pid, url, until } = await open('stays')
      const child = pid()
      await server.stop()
      expect([isRunning(child), await acceptsConnections(url)]).toEqual([false, false])
      await expect.poll(lines).toContain('Both together')
      server.start()
      await until('ready')
      expect(pid()).not.toBe(child)
    },
  )
})
