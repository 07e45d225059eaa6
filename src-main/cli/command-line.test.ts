import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import manifest from '../../package.json'

const ROOT = resolve(import.meta.dirname, '..', '..')
/** The first run builds the command line. */
const LIMIT_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'patchbay-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Outcome = { code: number | null; stdout: string; stderr: string }

function patchbay(...args: string[]): Promise<Outcome> {
  return new Promise((settle) => {
    const words = ['run', '-s', 'patchbay', '--', ...args]
    const isWindows = process.platform === 'win32'
    const child = execFile(
      isWindows ? 'npm.cmd' : 'npm',
      words,
      { cwd: ROOT, timeout: LIMIT_MS, maxBuffer: 50_000_000, shell: isWindows },
      (_error, stdout, stderr) => settle({ code: child.exitCode, stdout, stderr }),
    )
  })
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const one = {
  package: { registryType: 'npm', identifier: 't', version: '1.0.0' },
  values: {},
}
const planned = { command: 'npx', args: ['-y', 't@1.0.0'], env: {} }

describe('A1: patchbay plan', () => {
  it(
    'prints one plan for a case and nothing else',
    async () => {
      const { code, stdout, stderr } = await patchbay('plan', file('one.json', JSON.stringify(one)))
      expect({ code, plan: JSON.parse(stdout) as unknown, stderr }).toEqual({
        code: 0,
        plan: planned,
        stderr: '',
      })
    },
    LIMIT_MS,
  )

  it(
    'prints a list for a list, with one result per case',
    async () => {
      const path = file('list.json', `\uFEFF${JSON.stringify([one, null, { package: 7 }, one])}`)
      const { code, stdout } = await patchbay('plan', path)
      const rejected = { error: 'no-package' }
      expect({ code, plans: JSON.parse(stdout) as unknown }).toEqual({
        code: 0,
        plans: [planned, rejected, rejected, planned],
      })
    },
    LIMIT_MS,
  )

  it.each<[string, string, string]>([
    ['is missing', join(folder, 'missing.json'), 'File not found: FILE.'],
    ['is a folder', folder, 'FILE couldn’t be read (EISDIR).'],
    [
      'is no JSON',
      file('broken.json', '{"package":\n'),
      'FILE doesn’t contain valid JSON. Line 2, column 1: Expected a value.',
    ],
    [
      'is empty',
      file('empty.json', ''),
      'FILE doesn’t contain valid JSON. Line 1, column 1: Expected a value.',
    ],
  ])(
    'exits with 2 and one line if the file %s',
    async (_what, path, message) => {
      const { code, stdout, stderr } = await patchbay('plan', path)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(`patchbay: ${message.replace('FILE', path)}\n`)
    },
    LIMIT_MS,
  )
})

describe('A1: patchbay catalog check', () => {
  it(
    'prints the state of the entries',
    async () => {
      const server = { name: 'a/b', description: 'd', version: '1', packages: [one.package] }
      const path = file('entries.json', JSON.stringify({ servers: [{ server, _meta: {} }, 7] }))
      const { code, stdout, stderr } = await patchbay('catalog', 'check', path)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({
        entries: 2,
        parsed: 1,
        withForm: 1,
        notices: 0,
        errors: [{ name: '', version: '', path: '', code: 'invalid-entry' }],
      })
    },
    LIMIT_MS,
  )
})

describe('A1: the command line', () => {
  it.each([[['plan']], [['plan', 'a', 'b']], [['catalog', 'check']], [['--odd']], [['x']]])(
    'exits with 2 and shows its usage: %j',
    async (args) => {
      const { code, stdout, stderr } = await patchbay(...args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/Usage: patchbay|Unknown option/)
    },
    LIMIT_MS,
  )

  it(
    'prints its usage on request',
    async () => {
      const { code, stdout } = await patchbay('--help')
      expect(code).toBe(0)
      expect(stdout).toContain('patchbay catalog check FILE')
      expect(await patchbay('bridge', '--help')).toEqual({ code: 0, stdout, stderr: '' })
    },
    LIMIT_MS,
  )

  it(
    'prints its version',
    async () => {
      const { version } = manifest
      expect(await patchbay('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    },
    LIMIT_MS,
  )
})
