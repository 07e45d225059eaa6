import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'

import { realUvx } from '../../fixtures/real-tools'
import { TestServers } from '../../fixtures/test-servers'

const LIMIT_MS = 240_000
const folder = mkdtempSync(join(tmpdir(), 'patchbay-python-'))
const uvx = await realUvx()
const isMissing = uvx.kind === 'missing'
const why = isMissing ? ` (skipped: ${uvx.reason})` : ''
if (isMissing) rmSync(folder, { recursive: true })

/** The same server for each SDK version, which renamed its class. */
const SERVER = `
try:
    from mcp.server.fastmcp import FastMCP as Server
except ImportError:
    from mcp.server import MCPServer as Server

server = Server("python")

@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

server.run()
`
/** Versions before 1.9 stop answering after a request before initialize, and later ones log a long error. */
const OLDER = ['1.2.1', '1.6.0', '1.8.1', '1.9.4']
const file = join(folder, 'server.py')
if (!isMissing) writeFileSync(file, SERVER)

let supervisors: TestServers
beforeEach(() => {
  supervisors = new TestServers()
})
afterEach(() => supervisors[Symbol.asyncDispose]())
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

async function start(args: readonly string[]) {
  if (uvx.kind === 'missing') throw new Error(uvx.reason)
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  )
  const spec = { command: join(uvx.folder, 'uv'), args, env }
  const opened = supervisors.open({ spec, handshakeMs: LIMIT_MS })
  opened.server.start()
  await expect
    .poll(() => opened.server.status.kind, { timeout: LIMIT_MS, interval: 100 })
    .toMatch(/ready|degraded|error|backingOff/u)
  return opened
}

const run = (...packages: string[]): string[] => [
  ...['run', '-q', '--no-project', '--isolated'],
  ...packages.flatMap((name) => ['--with', name]),
]

describe.skipIf(isMissing)('B13: real servers with the Python SDK', () => {
  it.each([
    ...OLDER.map((version) => [version, [`mcp==${version}`, 'pydantic<2.12']] as const),
    ['the newest', ['mcp']] as const,
  ])(
    `are Ready, work and log no error with mcp %s${why}`,
    { timeout: LIMIT_MS },
    async (_version, packages) => {
      const { server, lines } = await start([...run(...packages), 'python', file])
      expect(server.status).toEqual({ kind: 'ready' })
      expect(server.capabilities.tools.map(({ name }) => name)).toEqual(['add'])
      expect(
        await server.session?.request('tools/call', { name: 'add', arguments: { a: 20, b: 22 } }),
      ).toMatchObject({ content: [{ type: 'text', text: '42' }] })
      expect(lines().filter((line) => /validat/iu.test(line))).toEqual([])
    },
  )

  it(`are Ready like chroma-mcp, which pins mcp 1.6.0${why}`, { timeout: LIMIT_MS }, async () => {
    const args = ['--client-type', 'ephemeral']
    const { server, lines } = await start([
      ...run('chroma-mcp==0.2.6', 'pydantic<2.12'),
      ...['chroma-mcp', ...args],
    ])
    expect(server.status.kind).toBe('ready')
    expect(server.capabilities.tools).toHaveLength(13)
    expect(lines().filter((line) => /validation error/iu.test(line))).toEqual([])
  })
})
