import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Supervised, supervised } from '../../../e2e/fixtures/supervised'
import { node, PLAIN } from '../../../e2e/fixtures/test-servers'

type Options = Parameters<typeof supervised>[0]

/** Answers from now on, starting with the buffered stdin. */
const SERVE = `
const held = [], keep = (chunk) => held.push(chunk)
process.stdin.on('data', keep)
function serve() {
  process.stdin.off('data', keep); process.stdin.pause(); process.stdin.unshift(Buffer.concat(held))
  import(${JSON.stringify(PLAIN)})
}
process.stdin.on('end', () => process.exit(0))
const say = (text) => process.stderr.write(text)
const { appendFileSync, existsSync } = require('node:fs')
`

/** A server with a short time limit, whose starts are retried immediately. */
function patient(code: string, options: Options = {}): Supervised {
  const opened: Supervised = supervised({
    prepare: () => ({ ...node('-e', `${SERVE}\n${code}`), cwd: opened.supervisors.dir }),
    handshakeMs: 1_000,
    settings: { startsAgain: true, startTries: 5, firstWaitMs: 500, longestWaitMs: 500 },
    ...options,
  })
  opened.server.start()
  return opened
}

/** Number of starts so far. */
function starts({ server }: Supervised): number {
  return server.counts.starts
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('F14: a start that is working', () => {
  it('may exceed its limit while a progress bar moves, shows the work, and keeps one log line for it', async () => {
    const opened = patient(`
      let n = 0
      const timer = setInterval(() => {
        n += 4
        say('\\rmodel.safetensors: ' + n + '%|###   | ' + n + 'M/100M [00:01<00:20, 11.2MB/s]')
        if (n === 100) { clearInterval(timer); say('\\n'); serve() }
      }, 100)`)
    await expect
      .poll(() => JSON.stringify(opened.server.status))
      .toContain('Downloading: model.safetensors')
    await opened.until('ready')
    expect(starts(opened)).toBe(1)
    expect(opened.lines().filter((line) => line.includes('safetensors'))).toHaveLength(1)
    const handshake = opened.server.phases.find(({ phase }) => phase === 'handshake')
    expect(handshake?.budgetMs).toBe(60_000)
  })

  it('may exceed its limit while its child computes silently', async () => {
    const busy = 'const end = Date.now() + 5000; while (Date.now() < end);'
    const opened = patient(
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}]).on('exit', serve)`,
      { handshakeMs: 2_000 },
    )
    await expect.poll(() => JSON.stringify(opened.server.status)).toContain('Still working')
    await opened.until('ready')
    expect(starts(opened)).toBe(1)
  })

  it.runIf(process.platform === 'linux')(
    'may exceed its limit while it writes a file',
    async () => {
      const opened = patient(`
      const part = Buffer.alloc(400_000)
      let n = 0
      const timer = setInterval(() => {
        appendFileSync('model', part)
        if ((n += 1) === 12) { clearInterval(timer); serve() }
      }, 200)`)
      await opened.until('ready')
      expect(starts(opened)).toBe(1)
    },
  )

  it('ends at the download limit and reports that it was still working', async () => {
    const opened = patient(
      'let n = 0; setInterval(() => say("Building " + (n += 1) + "/9999\\n"), 100)',
      {
        installMs: [2_500],
        settings: { startsAgain: false },
      },
    )
    await opened.until('error')
    expect(opened.server.status).toMatchObject({
      code: 'PHASE_TIMEOUT',
      message: 'The server was still working after 2.5 s and has not initialized.',
      hint: expect.stringContaining('download limit') as string,
    })
  })

  it.each([
    ['repeats one line', 'setInterval(() => say("Waiting for the database\\n"), 50)'],
    [
      'counts its attempts',
      'let n = 0; setInterval(() => say("Attempt " + (n += 1) + " failed\\n"), 50)',
    ],
    ['floods with one line', 'setInterval(() => say("busy\\n".repeat(5000)), 5)'],
    [
      'writes a line byte by byte',
      'const text = JSON.stringify({ jsonrpc: "2.0", packages: "download" }); let n = 0; setInterval(() => process.stdout.write(text[n++] ?? ""), 100)',
    ],
    ['does nothing', 'setInterval(() => {}, 1000)'],
  ])('counts as idle if it %s, and ends at its limit', async (_, code) => {
    const opened = patient(code, { settings: { startsAgain: false } })
    await opened.until('error')
    expect(opened.server.status).toMatchObject({ code: 'PHASE_TIMEOUT' })
  })
})

describe('F14: a start that waits for a sign-in', () => {
  it('shows link and code, waits beyond its limit, and becomes Ready in the same process', async () => {
    const opened = patient(`
      say('To sign in, use a web browser to open the page https://login.example.test/device and enter the code HJ7K-22QP to authenticate.\\n')
      const timer = setInterval(() => { if (existsSync(process.cwd() + '/done')) { clearInterval(timer); serve() } }, 50)`)
    await opened.until('awaitingSignIn')
    expect(opened.server.status).toEqual({
      kind: 'awaitingSignIn',
      phase: 'handshake',
      url: 'https://login.example.test/device',
      code: 'HJ7K-22QP',
    })
    const { pid } = opened.server.session ?? {}
    // The shorter limit has passed once the longer one shows.
    await expect
      .poll(() => opened.server.phases.find(({ phase }) => phase === 'handshake')?.budgetMs)
      .toBeGreaterThan(300_000)
    expect(opened.server.status.kind).toBe('awaitingSignIn')
    writeFileSync(join(opened.supervisors.dir, 'done'), '')
    await opened.until('ready')
    expect([starts(opened), opened.server.session?.pid]).toEqual([1, pid])
  })

  it('is not restarted if its program gives up', async () => {
    const opened = patient(`
      say('Please authorize this client by visiting:\\nhttps://a.example.test/authorize?client_id=1\\n')
      setTimeout(() => process.exit(1), 1500)`)
    await opened.until('awaitingSignIn')
    await opened.until('error')
    expect(opened.server.status).toMatchObject({ code: 'SERVER_EXITED' })
    expect(starts(opened)).toBe(1)
  })

  it('is starting again once the program reports the sign-in', async () => {
    const opened = patient(`
      say('Please sign in at https://login.example.test/device\\n')
      setTimeout(() => say('Auth code received\\n'), 1500)
      setTimeout(serve, 2500)`)
    await opened.until('awaitingSignIn')
    await opened.until('starting')
    await opened.until('ready')
  })
})

describe('F14: a start that serves HTTP or prompts', () => {
  it.each([
    [
      'a banner',
      'say("INFO: Uvicorn running on http://127.0.0.1:" + port + " (Press CTRL+C to quit)\\n")',
    ],
    ['a port', 'say("MCP Streamable HTTP Server listening on port " + port + "\\n")'],
    ['an address on stdout', 'console.log("Server started: http://localhost:" + port + "/mcp")'],
    ...(process.platform === 'linux' ? [['nothing', '']] : []),
  ])('names its HTTP address after printing %s, and is not retried', async (_, print) => {
    const port = await freePort()
    const opened = patient(`
      const port = ${String(port)}
      require('node:http').createServer((request, response) => {
        response.setHeader('content-type', 'application/json')
        response.statusCode = request.url === '/mcp' ? 200 : 404
        response.end(request.url === '/mcp' ? '{"jsonrpc":"2.0","id":1,"result":{}}' : '{}')
      }).listen(port, '127.0.0.1', () => { ${print} })`)
    await opened.until('error')
    const url = `http://127.0.0.1:${String(port)}/mcp`
    expect(opened.server.status).toMatchObject({
      code: 'HANDSHAKE_FAILED',
      cause: {
        causeId: 'serves-http',
        message: expect.stringContaining(`listens on ${url} instead of stdin`) as string,
        step: { kind: 'addHttp', url },
      },
    })
    expect(starts(opened)).toBe(1)
  })

  it.each(['stdout', 'stderr'])('shows its prompt on %s, and is not retried', async (stream) => {
    const opened = patient(`process.${stream}.write('Acme API key: '); process.stdin.resume()`)
    await opened.until('error')
    expect(opened.server.status).toMatchObject({
      cause: {
        causeId: 'asks-on-stdin',
        message: expect.stringContaining('“Acme API key:”') as string,
        step: { kind: 'setUpInTerminal' },
      },
    })
    expect(starts(opened)).toBe(1)
  })
})

describe('E15: the log of a failed start', () => {
  it('contains the cause and the failure', async () => {
    const opened = patient('console.error("NOTES_KEY is not set"); process.exit(1)')
    await opened.until('error')
    expect(opened.lines()).toContain(
      'The server needs a value for NOTES_KEY. The server exited with code 1 before it responded.',
    )
  })
})

describe('A8: a container without stdin', () => {
  it.each([
    ['exits with 0', 'process.exit(0)'],
    ['never answers', 'setInterval(() => {}, 1000)'],
  ])('is named as the cause if the server %s, and is not retried', async (_, code) => {
    const stdinFault = 'docker run gives the server no input without -i.'
    const opened = patient(code, { stdinFault })
    await opened.until('error')
    expect(opened.server.status).toMatchObject({
      cause: {
        causeId: 'container-stdin',
        message: `${stdinFault} Change it under Configure.`,
        step: { kind: 'configure' },
      },
    })
    expect(starts(opened)).toBe(1)
  })
})

describe('A8: a server that runs once at a time', () => {
  it('is retried slowly while another process holds its lock', async () => {
    const opened = patient(
      'console.error("Error: database is locked: another instance is already running"); process.exit(1)',
    )
    await opened.until('backingOff')
    expect(opened.server.status).toMatchObject({ cause: { causeId: 'already-running' } })
    expect(opened.lines()).toContain('Restarting in 30 s (attempt 2 of 5)')
  })
})
