import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import { causeOf } from './failure-causes'
import { withProgramFolder } from './program-folder'

/** Creates a home with a project of these files, and explains the output of a server there. */
function project(files: Readonly<Record<string, string>>) {
  const home = tempFolder('project')
  const folder = join(home, 'notes')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const causeIn = (line: string, args: readonly string[], cwd = home): FailureCause | undefined => {
    const cause = causeOf({ lines: [line], phase: 'handshake' })
    const paths = args.map((arg) => (arg.startsWith('./') ? join(folder, arg) : arg))
    return cause && withProgramFolder(cause, { command: '/usr/bin/node', args: paths, cwd, home })
  }
  return { home, folder, causeIn }
}

const NEEDS_KEY = 'Error: NOTES_KEY environment variable is required'

describe('F13: a missing file or variable next to the program', () => {
  it('offers the folder whose .env sets the variable', () => {
    const { home, folder, causeIn } = project({
      'package.json': '{}',
      'build/index.js': '',
      '.env': 'OTHER=1\nexport NOTES_KEY=x\n',
    })
    expect(causeIn(NEEDS_KEY, ['./build/index.js'])).toMatchObject({
      causeId: 'variable-missing',
      message: `The server needs a value for NOTES_KEY. .env is in ${folder}, but the server runs in ${home}.`,
      step: { kind: 'runInFolder', folder },
    })
  })

  it('offers the folder that contains the relative file', () => {
    const { home, folder, causeIn } = project({ '.git/HEAD': '', 'main.js': '', 'a/b.json': '' })
    const said = `Error: ENOENT: no such file or directory, open '${join(home, 'a/b.json')}'`
    for (const line of [said, "Error: ENOENT: no such file or directory, open 'a/b.json'"])
      expect(causeIn(line, ['./main.js'])?.step).toEqual({ kind: 'runInFolder', folder })
  })

  it.each([
    ['the .env leaves it empty', { 'package.json': '', 'main.js': '', '.env': 'NOTES_KEY=\n' }],
    ['the .env sets another', { 'package.json': '', 'main.js': '', '.env': 'MY_NOTES_KEY=x\n' }],
    ['there is no .env', { 'package.json': '', 'main.js': '' }],
  ])('offers nothing if %s', (_, files) => {
    const { causeIn } = project(files)
    expect(causeIn(NEEDS_KEY, ['./main.js'])?.step.kind).toBe('configure')
  })

  it('offers nothing if the server already runs there, or its program is elsewhere', () => {
    const { folder, causeIn } = project({ 'main.js': '', '.env': 'NOTES_KEY=x\n' })
    expect(causeIn(NEEDS_KEY, ['./main.js'], folder)?.step.kind).toBe('configure')
    expect(causeIn(NEEDS_KEY, ['main.js'])?.step.kind).toBe('configure')
  })
})
