import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'patchbay-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The check's findings in these files, without lines. */
function faultsIn(texts) {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  })
  const script = ['scripts/check-words.mjs', ...files]
  const { stdout } = spawnSync(process.execPath, script, { encoding: 'utf8' })
  const found = stdout.split('\n').flatMap((line) => {
    const [, name, fault] = /([^/]+):\d+ (.*)$/u.exec(line) ?? []
    return fault === undefined ? [] : [[name, fault]]
  })
  return Object.keys(texts).map((name) =>
    found.flatMap(([of, fault]) => (of === name ? [fault] : [])),
  )
}

it('check:words finds misspelled and retired words in shown texts, and ignores code', () => {
  const source = `
    mend('select-the-colour')
    export const Part = () => (
      <p className="mend anew" title="Choose a serverr">
        Starts by itself, whoever asks.
      </p>
    )
  `
  const faults = faultsIn({
    'part.tsx': source,
    'page.md': 'Run `mend anew` to mend it.\n',
    'clean.ts': "export const TEXT = 'Restart the server.'\n",
  })
  expect(faults).toEqual([
    [
      'unknown word: serverr',
      'retired word: whoever',
      'retired phrase: by itself (use: manually or automatically)',
    ],
    ['retired word: mend'],
    [],
  ])
}, 30_000)

it('check:words finds retired words in the names of files and declarations', () => {
  const source = 'export type ToolVerdict = string\nconst verdicts = verdict()\nlet told = 1\n'
  const local = 'const asked = 1\n'
  const exported = 'export const asked = 1\n'
  const files = { 'tool-shelf.ts': source, 'local.ts': local, 'exported.ts': exported }
  expect(faultsIn(files)).toEqual([
    [
      'retired name: shelf (use: cache or folder)',
      'retired name: verdict (use: decision)',
      'retired name: told (use: what was received)',
    ],
    [],
    [expect.stringContaining('retired name: asked')],
  ])
}, 30_000)
