import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import manifest from '../package.json'
import { realNpx } from './fixtures/real-tools'

const ROOT = resolve(import.meta.dirname, '..')
const isWindows = process.platform === 'win32'
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'patchbay-npm-install-'))
const built = join(folder, 'package')
const project = join(folder, 'project')
const profileDir = join(folder, 'profile')
const npm = await realNpx(folder, 'semver')
const why = npm.kind === 'missing' ? `: not tried, ${npm.reason}` : ''
// No hook runs if every test is skipped.
if (why !== '') rmSync(folder, { recursive: true })

const started = new Set<ChildProcess>()

function start(...args: string[]): ChildProcess & { readonly output: { text: string } } {
  const command = join(project, 'node_modules', '.bin', isWindows ? 'patchbay.cmd' : 'patchbay')
  const env = { ...process.env, PATCHBAY_AGENT_KEY: 'wrong' }
  const child = spawn(command, args, { cwd: project, env, shell: isWindows })
  started.add(child)
  child.once('exit', () => started.delete(child))
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output.text += chunk.toString()))
  return Object.assign(child, { output })
}

async function outcomeOf(...args: string[]): Promise<{ code: unknown; text: string }> {
  const child = start(...args)
  const [code] = (await once(child, 'close')) as unknown[]
  return { code, text: child.output.text }
}

async function linkOf({ output }: { readonly output: { text: string } }): Promise<string> {
  await expect.poll(() => output.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\S+\n/)
  return /http:\S+/.exec(output.text)?.[0] ?? ''
}

function file(name: string, content: object): string {
  writeFileSync(join(project, name), JSON.stringify(content))
  return name
}

describe.skipIf(npm.kind === 'missing')(`D8: the npm package in an empty folder${why}`, () => {
  beforeAll(async () => {
    await run(process.execPath, [join(ROOT, 'scripts', 'npm-package.mjs'), built])
    mkdirSync(project)
    file('package.json', { name: 'empty', private: true })
    const options = { cwd: built, shell: isWindows }
    await run('npm', ['pack', '--pack-destination', folder], options)
    const archive = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    const install = ['install', '--no-audit', '--no-fund', join(folder, archive)]
    await run('npm', install, { cwd: project, shell: isWindows })
  })
  afterEach(async () => {
    for (const child of started) {
      const closed = once(child, 'close')
      child.kill()
      await closed
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('prints its version and its usage', async () => {
    const version = await outcomeOf('--version')
    expect(version).toEqual({ code: 0, text: `${manifest.version}\n` })
    expect(await outcomeOf('--help')).toMatchObject({ code: 0 })
    expect(await outcomeOf('nonsense')).toMatchObject({ code: 2 })
  })

  it('opens Patchbay in the browser without a command', async () => {
    const app = start('--no-open', '--profile', profileDir)
    const page = await fetch(new URL('/', await linkOf(app)))
    expect({ status: page.status, text: await page.text() }).toMatchObject({
      status: 200,
      text: expect.stringContaining('<script') as string,
    })
    expect(await outcomeOf('serve', '--no-open', '--profile', profileDir)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Patchbay is already running') as string,
    })
    app.kill('SIGTERM')
    // Windows has no signals: the program just ends.
    expect(await once(app, 'close')).toEqual(isWindows ? [null, 'SIGTERM'] : [0, null])
  })

  it('plans a package, and checks a catalog', async () => {
    const one = { registryType: 'npm', identifier: 't', version: '1.0.0' }
    const plan = await outcomeOf('plan', file('case.json', { package: one, values: {} }))
    expect({ ...plan, text: JSON.parse(plan.text) as unknown }).toEqual({
      code: 0,
      text: { command: 'npx', args: ['-y', 't@1.0.0'], env: {} },
    })
    const entry = { name: 'a/b', description: 'd', version: '1', packages: [one] }
    const check = await outcomeOf('catalog', 'check', file('entry.json', entry))
    expect({ ...check, text: JSON.parse(check.text) as unknown }).toMatchObject({
      code: 0,
      text: { entries: 1, parsed: 1, withForm: 1, errors: [] },
    })
    expect(await outcomeOf('plan', 'missing.json')).toMatchObject({ code: 2 })
  })

  it('is an MCP server for an agent app, and exits with its connection', async () => {
    const bridge = start('bridge', '--agent', 'nobody', '--profile', profileDir)
    const params = {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    }
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    bridge.stdin?.write(`${JSON.stringify(request)}\n`)
    await expect.poll(() => bridge.output.text).toContain('"serverInfo":{"name":"patchbay"')
    bridge.stdin?.end()
    expect(await once(bridge, 'close')).toEqual([0, null])
  })
})
