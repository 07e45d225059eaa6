import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { fixtureServer } from '../fixtures/fixture-server'

const ROOT = resolve(import.meta.dirname, '..', '..')
const SERVER = join(ROOT, 'e2e/servers/vet.mjs')
/** The first run builds the command line. */
const LIMIT_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Outcome = { code: number | null; stdout: string; stderr: string }

function vet(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((settle) => {
    const options = { cwd: ROOT, timeout: LIMIT_MS, env: { ...process.env, ...env } }
    const words = ['run', '-s', 'patchbay', '--', 'vet', ...args]
    const child = execFile('npm', words, options, (_error, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr }),
    )
  })
}

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
      const { stdout } = await vet(['--yes', '--', 'node', SERVER, 'noise', 'long-name'], env)
      const commands = stdout.split('\n').filter((line) => line.startsWith('::'))
      expect(commands.map((line) => line.slice(0, line.indexOf('::', 2)))).toEqual([
        '::error title=patchbay vet start.stdout',
        '::warning title=patchbay vet tools.names',
      ])
      expect(readFileSync(summary, 'utf8')).toContain('## Problem: Stdout carries')
    },
    LIMIT_MS,
  )

  it(
    'says which value is missing',
    async () => {
      const path = file('missing.json', {
        ...fixtureServer('vet.mjs', {
          environmentVariables: [{ name: 'VET_REQUIRED', isRequired: true }],
        }),
      })
      const { code, stderr } = await vet(['--yes', path])
      expect(code).toBe(2)
      expect(stderr).toContain('--values')
    },
    LIMIT_MS,
  )
})
