import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { fixtureServer } from '../fixtures/fixture-server'
import { isRunning } from '../fixtures/is-running'
import { openHarness } from '../fixtures/open-harness'
import { runVet, startVet, VET_LIMIT_MS } from '../fixtures/vet-command'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SERVER = join(ROOT, 'e2e/servers/vet.mjs')

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: object): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

describe('E14: patchbay vet', () => {
  it(
    'writes annotations in a workflow, and no server text becomes one',
    async () => {
      const summary = file('summary.md', {})
      const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary }
      const { stdout } = await runVet(['--yes', '--', 'node', SERVER, 'noise', 'long-name'], env)
      const commands = stdout.split('\n').filter((line) => line.startsWith('::'))
      expect(commands.map((line) => line.slice(0, line.indexOf('::', 2)))).toEqual([
        '::error title=patchbay vet start.stdout',
        '::warning title=patchbay vet tools.names',
      ])
      expect(readFileSync(summary, 'utf8')).toContain('## Problem: `start.stdout`')
    },
    VET_LIMIT_MS,
  )

  it(
    'checks an installed server with its values, without changing the profile',
    async () => {
      const harness = openHarness()
      const entry = await harness.paste(
        fixtureServer('vet.mjs', {
          title: 'Weather',
          args: ['needs-value', 'takes-any-tool'],
          environmentVariables: [{ name: 'VET_REQUIRED', isRequired: true }],
        }),
      )
      await harness.setUp(entry, { start: false, values: { env_VET_REQUIRED: 'value' } })
      const profile = mkdtempSync(join(folder, 'profile-'))
      const settings = join(profile, 'settings.json')
      writeFileSync(settings, JSON.stringify(harness.memory.document))
      const before = readFileSync(settings, 'utf8')
      const { code, stdout, stderr } = await runVet(['--yes', '--profile', profile, 'Weather'])
      expect(stdout, stderr).toContain('Problem [errors.unknown-tool]')
      expect(code).toBe(1)
      expect(readFileSync(settings, 'utf8')).toBe(before)
      expect(readdirSync(profile)).toEqual(['settings.json'])
      const unknown = await runVet(['--yes', '--profile', profile, 'Wether'])
      expect(unknown.code).toBe(2)
      expect(unknown.stderr).toContain('Wether is no file, registry name, address, or installed')
    },
    VET_LIMIT_MS,
  )

  it(
    'asks the registry for vulnerabilities only with --advisories, and passes --help on to the command',
    async () => {
      const plain = await runVet(['--yes', '--', 'node', SERVER, '--help'])
      expect(plain.stdout).toContain('Not checked [package.advisories] Asks the package registry')
      const asking = await runVet(['--yes', '--advisories', '--', 'node', SERVER])
      expect(asking.stdout).toContain('Not checked [package.advisories] Only packages that npx')
      expect([plain.code, asking.code]).toEqual([0, 0])
    },
    VET_LIMIT_MS,
  )

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with 3 at %s and leaves no process',
    async (signal) => {
      const pids = join(folder, signal)
      const values = file('pids.json', { environmentVariables: { VET_PIDS: pids } })
      const started = (): number[] =>
        existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []
      const { child, ended } = startVet([
        '--yes',
        '--values',
        values,
        '--',
        'node',
        SERVER,
        'hangs',
      ])
      await expect.poll(() => started().length).toBeGreaterThan(0)
      child.kill(signal)
      expect(await ended).toBe(3)
      expect(started().filter(isRunning)).toEqual([])
    },
    VET_LIMIT_MS,
  )

  it(
    'names a missing value',
    async () => {
      const path = file('missing.json', {
        ...fixtureServer('vet.mjs', {
          environmentVariables: [{ name: 'VET_REQUIRED', isRequired: true }],
        }),
      })
      const { code, stderr } = await runVet(['--yes', path])
      expect(code).toBe(2)
      expect(stderr).toContain('--values')
    },
    VET_LIMIT_MS,
  )
})
