import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { fixtureServer } from '../fixtures/fixture-server'
import { runVet, VET_LIMIT_MS } from '../fixtures/vet-command'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SERVER = join(ROOT, 'e2e/servers/vet.mjs')

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: object): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

describe('E14 patchbay vet', () => {
  it(
    'writes annotations in a workflow, and no text of a server becomes one of its own',
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
    'says which value is missing',
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
