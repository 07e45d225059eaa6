import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The faults that the check prints for a file, without their place. */
function faultsIn(name, text) {
  const file = join(folder, name)
  writeFileSync(file, text)
  const run = spawnSync(process.execPath, ['scripts/check-words.mjs', file], { encoding: 'utf8' })
  return run.stdout.split('\n').flatMap((line) => /:\d+ (.*)$/u.exec(line)?.[1] ?? [])
}

it('check:words finds misspelled and retired words in shown texts, and reads no code', () => {
  const source = `
    const mend = 'select-the-colour'
    export const Part = () => (
      <p className="mend anew" title="Choose a serverr">
        Starts by itself, whoever asks.
      </p>
    )
  `
  expect(faultsIn('part.tsx', source)).toEqual([
    'unknown word: serverr',
    'retired word: whoever',
    'retired phrase: by itself (use: manually or automatically)',
  ])
  expect(faultsIn('page.md', 'Run `mend anew` to mend it.\n')).toEqual(['retired word: mend'])
  expect(faultsIn('clean.ts', "export const TEXT = 'Restart the server.'\n")).toEqual([])
}, 30_000)

it('check:words finds retired words in the names of files and exports', () => {
  const source = 'export type ToolVerdict = string\nexport const verdicts = 1\nconst verdict = 1\n'
  expect(faultsIn('tool-shelf.ts', source)).toEqual([
    'retired name: shelf (use: cache or folder)',
    'retired name: verdict (use: decision)',
  ])
}, 30_000)
