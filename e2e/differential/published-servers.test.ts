import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, describe, expect, it } from 'vitest'

import { installOnce } from '../../bench/gateway/install-once'
import { GatewayHarness, PROTOCOL_MODES } from '../fixtures/gateway-harness'
import { realUvx } from '../fixtures/real-tools'
import { untilConnected } from '../fixtures/tools-harness'
import {
  comparable,
  directRoute,
  forGateway,
  fromGateway,
  gatewayRoute,
  likeDirect,
  type Outcome,
  type Program,
  type Request,
} from './routes'

const run = promisify(execFile)
const LIMIT_MS = 240_000
const PYTHON_CLIENT = join(import.meta.dirname, 'python-client.py')
const folder = mkdtempSync(join(tmpdir(), 'patchbay-published-'))
writeFileSync(join(folder, 'a.txt'), 'Alpha\nBeta\n')
writeFileSync(
  join(folder, 'memory.jsonl'),
  '{"type":"entity","name":"Ada","entityType":"person","observations":["wrote the first program"]}\n',
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const uvx = await realUvx()

const call = (name: string, args: Record<string, unknown> = {}): Request => ({
  method: 'tools/call',
  params: { name, arguments: args },
})
const LISTS: readonly Request[] = [
  { method: 'tools/list' },
  { method: 'prompts/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
]

type Published = {
  readonly alias: string
  readonly program: () => Promise<Program | string>
  readonly requests: readonly Request[]
  /** Its answers depend on earlier ones. */
  readonly holdsState?: boolean
}

/** An npm package, installed once and run by its script; a string says why it is unavailable. */
function npm(name: string, ...args: string[]): Published['program'] {
  return async () => {
    const of = await installOnce({ name: `@modelcontextprotocol/${name}`, version: '2026.8.31' })
    if (of.kind === 'missing') return of.reason
    const script = join(
      of.folder,
      'node_modules',
      '@modelcontextprotocol',
      name,
      'dist',
      'index.js',
    )
    return { command: process.execPath, args: [script, ...args] }
  }
}

const PUBLISHED: readonly Published[] = [
  {
    alias: 'everything',
    program: npm('server-everything', 'stdio'),
    requests: [
      call('echo', { message: 'ä\n"b"' }),
      call('get-sum', { a: 1.5, b: 2 }),
      call('get-tiny-image'),
      call('get-annotated-message', { messageType: 'error', includeImage: true }),
      call('get-structured-content', { location: 'New York' }),
      call('get-resource-links', { count: 2 }),
      { method: 'prompts/get', params: { name: 'simple-prompt' } },
      { method: 'prompts/get', params: { name: 'args-prompt', arguments: { city: 'Bern' } } },
      { method: 'resources/read', params: { uri: 'demo://resource/static/document/features.md' } },
      { method: 'resources/read', params: { uri: 'demo://resource/none' } },
    ],
  },
  {
    alias: 'filesystem',
    program: npm('server-filesystem', folder),
    requests: [
      call('list_allowed_directories'),
      call('list_directory', { path: folder }),
      call('read_text_file', { path: join(folder, 'a.txt'), head: 1 }),
      call('read_multiple_files', { paths: [join(folder, 'a.txt'), join(folder, 'none')] }),
      call('search_files', { path: folder, pattern: '*.txt' }),
      call('read_text_file', { path: '/etc/hostname' }),
    ],
  },
  {
    alias: 'memory',
    program: async () => {
      const program = await npm('server-memory')()
      const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
      return typeof program === 'string' ? program : { ...program, env }
    },
    requests: [
      call('read_graph'),
      call('search_nodes', { query: 'Ada' }),
      call('open_nodes', { names: ['Ada', 'Bob'] }),
    ],
  },
  {
    alias: 'thinking',
    holdsState: true,
    program: npm('server-sequential-thinking'),
    requests: [
      call('sequentialthinking', {
        ...{ thought: 'one', thoughtNumber: 1, totalThoughts: 2, nextThoughtNeeded: true },
      }),
    ],
  },
  {
    alias: 'time',
    program: () =>
      Promise.resolve(
        uvx.kind === 'missing'
          ? uvx.reason
          : { command: join(uvx.folder, 'uvx'), args: ['mcp-server-time@2026.10.19'] },
      ),
    requests: [
      call('convert_time', {
        ...{ source_timezone: 'Asia/Tokyo', time: '12:30', target_timezone: 'Asia/Kolkata' },
      }),
      call('convert_time', { source_timezone: 'Nowhere', time: '1', target_timezone: 'UTC' }),
    ],
  },
]

const bench = new GatewayHarness()
afterEach(() => bench.close())

/** The server behind the gateway, and an agent's key. */
async function open(
  { alias, holdsState }: Published,
  { command, args, env = {} }: Program,
): Promise<string> {
  process.env.PATH = [...(uvx.kind === 'there' ? [uvx.folder] : []), process.env.PATH].join(
    delimiter,
  )
  await bench.open()
  const positional = (value: string): object => ({ type: 'positional', value })
  const id = await bench.harness.install(
    {
      ...{ name: `published/${alias}`, description: 'A published server.', version: '1.0.0' },
      packages: [
        {
          ...{ registryType: 'cargo', identifier: basename(command), version: '1.0.0' },
          transport: { type: 'stdio' },
          packageArguments: args.map(positional),
          environmentVariables: Object.entries(env).map(([name, value]) => ({ name, value })),
        },
      ],
    },
    { name: alias },
  )
  await untilConnected(bench.harness, id)
  const sharing = holdsState ? 'perSession' : 'shared'
  await bench.harness.call('server.setSharing', { installationId: id, sharing })
  return (await bench.addAgent('Anna', { toolCap: 1_000 })).key
}

function differences(
  route: string,
  requests: readonly Request[],
  direct: readonly Outcome[],
  ours: readonly Outcome[],
): string[] {
  return requests.flatMap((request, at) => {
    const through = likeDirect(ours[at] ?? 'nothing', direct[at])
    const [a, b] = [direct[at], through].map((one) => JSON.stringify(one && comparable(one)))
    // The gateway represents many servers: it returns an empty list where the server has none.
    const isNoList = request.method.endsWith('/list') && (a ?? '').includes('-32601')
    if (a === b || (isNoList && /^\{"result":\{"\w+":\[\]\}\}$/u.test(b ?? ''))) return []
    return [`${route} ${JSON.stringify(request)}\n  direct:  ${a ?? ''}\n  gateway: ${b ?? ''}`]
  })
}

/** Results of the official Python client. */
async function python(version: string, options: object): Promise<Outcome[]> {
  const uv = join(uvx.kind === 'there' ? uvx.folder : '', 'uv')
  const args = ['run', '--no-project', '--quiet', '--with', `mcp==${version}`, 'python']
  const { stdout } = await run(uv, [...args, PYTHON_CLIENT, JSON.stringify(options)], {
    timeout: LIMIT_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome)
}

describe('F16: a published server, directly and through the gateway', async () => {
  for (const published of PUBLISHED) {
    const { alias } = published
    const requests = [...LISTS, ...published.requests]
    const found = await published.program()
    const program = typeof found === 'string' ? undefined : found
    const why = typeof found === 'string' ? ` (skipped: ${found})` : ''
    const withPython = it.skipIf(!program || uvx.kind === 'missing')
    if (program)
      it(
        `gives the TypeScript client the same answers: ${alias}`,
        { timeout: LIMIT_MS },
        async () => {
          const key = await open(published, program)
          const direct = await directRoute(program)
          if (!direct) throw new Error('The server can’t be asked directly.')
          const own = await Promise.all(requests.map((one) => direct.ask(one)))
          const seen: string[] = []
          for (const protocolMode of PROTOCOL_MODES) {
            const through = await gatewayRoute(bench, key, protocolMode, alias)
            const ours = await Promise.all(requests.map((one) => through.ask(one)))
            seen.push(...differences(protocolMode, requests, own, ours))
            await through.close()
          }
          await direct.close()
          expect(seen.join('\n')).toBe('')
        },
      )
    else it.skip(`gives the TypeScript client the same answers: ${alias}${why}`, () => undefined)

    withPython.each([
      ['1.30.0', 'legacy'],
      ['2.3.0', 'legacy'],
      ['2.3.0', '2026-07-28'],
    ])(
      `answers the client of Python %s (%s) the same: ${alias}${why}`,
      { timeout: LIMIT_MS },
      async (version, mode) => {
        if (!program) return
        const key = await open(published, program)
        // The servers support only sessions.
        const env = { ...process.env, ...program.env }
        const own = await python(version, {
          ...{ program: { ...program, env }, mode: 'legacy', requests },
        })
        const ours = await python(version, {
          url: bench.url,
          headers: { authorization: `Bearer ${key}` },
          mode,
          requests: requests.map((one) => forGateway(one, alias)),
        })
        const shown = ours.map((one) => fromGateway(one, alias))
        expect(differences(`python ${version}`, requests, own, shown).join('\n')).toBe('')
      },
    )
  }
})
