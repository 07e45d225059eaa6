import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { fixtureServer } from '../../e2e/fixtures/fixture-server'
import { runVet, VET_LIMIT_MS } from '../../e2e/fixtures/vet-command'
import { type VetCheck, VetReport } from '../../src-shared/domain/vet/vet-report'
import { exitCodeOf } from './usage'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: object): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(content))
  return path
}

describe('E14: patchbay vet', () => {
  it(
    'prints the exact command and runs nothing without consent',
    async () => {
      const mark = join(folder, 'ran')
      const script = `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`
      const { code, stdout, stderr } = await runVet(['--', 'node', '-e', script])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(`Command: node -e ${script}`)
      expect(existsSync(mark)).toBe(false)
    },
    VET_LIMIT_MS,
  )

  it(
    'reports findings of a server.json, writes JSON in the published form, and exits by level',
    async () => {
      const args = ['noise', 'needs-value', 'takes-any-tool', 'shows-value']
      const entry = fixtureServer('vet.mjs', { args })
      const path = file('server.json', {
        ...entry,
        packages: [
          {
            ...(entry as { packages: object[] }).packages[0],
            environmentVariables: [{ name: 'VET_REQUIRED', isRequired: true, isSecret: true }],
          },
        ],
      })
      const values = file('values.json', { environmentVariables: { VET_REQUIRED: 'hunter2' } })
      const json = join(folder, 'vet.json')
      const given = ['--yes', '--json', json, '--values', values, path]
      const { code, stdout, stderr } = await runVet(given)
      expect(code).toBe(1)
      expect(stdout).toContain('Problem [start.stdout] A line on stdout is no protocol message.')
      expect(stdout).toContain('2 problems, 0 suggestions.')
      const written = readFileSync(json, 'utf8')
      expect(VetReport.parse(JSON.parse(written)).server.name).toBe('test.fixture/vet')
      expect(stdout + stderr + written).not.toContain('hunter2')
    },
    VET_LIMIT_MS,
  )

  it.each([
    ['nothing', {}, 0, 0],
    ['a note', { level: 'note', outcome: 'found' }, 0, 0],
    ['a suggestion', { level: 'should', outcome: 'found' }, 0, 1],
    ['a problem', { level: 'must', outcome: 'found' }, 1, 1],
    ['a problem of a new check', { level: 'must', outcome: 'found', isPending: true }, 0, 0],
    ['a problem that could not be checked', { outcome: 'notChecked', isMissing: true }, 3, 3],
    ['a check that does not apply', { outcome: 'notChecked' }, 0, 0],
  ] as const)('exits by level for %s', (_what, rest, must, should) => {
    const one: VetCheck = {
      ...{ id: 'start.ready', group: 'start', level: 'must', title: '', isPending: false },
      ...{ outcome: 'passed', findings: [], moreFindings: 0 },
      ...rest,
    }
    expect(exitCodeOf({ checks: [one] }, 'must')).toBe(must)
    expect(exitCodeOf({ checks: [one] }, 'should')).toBe(should)
  })
})
