import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import { spawnChild } from './child-process'
import { programFault } from './program-fault'

const env = { PATH: process.env.PATH ?? '' }

function file(content: string | Buffer, mode = 0o755): string {
  const path = join(tempFolder('program é'), 'program')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

function link(target: string): string {
  const path = join(tempFolder('program'), 'python')
  symlinkSync(target, path)
  return path
}

function folder(): string {
  const path = join(tempFolder('program'), 'folder')
  mkdirSync(path)
  return path
}

/** The header of a program for an IBM mainframe. */
const S390 = Buffer.alloc(220)
S390.write('\u007FELF\u0002\u0002\u0001', 'latin1')
S390.writeUInt16BE(22, 18)

describe.skipIf(process.platform === 'win32')("A5: a program file that can't run", () => {
  it.each([
    ['Windows line break', () => file('#!/bin/sh\r\nexit\r\n'), 'Windows line break (CRLF)'],
    ['Windows line break behind env', () => file('#!/usr/bin/env node\r\n'), '(CRLF)'],
    ['interpreter', () => file('#!/old-place/.venv/bin/python3\n1\n'), '/old-place/.venv/bin/pyt'],
    ['link', () => link('/usr/bin/python3.99'), 'is a link to /usr/bin/python3.99'],
    ['link to a link', () => link(link('/gone/python')), 'is a link to /gone/python'],
    ['executable', () => file('#!/bin/sh\n', 0o644), 'is not marked as executable'],
    ['link to itself', () => link('python'), 'python, which doesn’t exist'],
    ['folder', folder, 'is a folder'],
    ['device', () => '/dev/null', 'is not a program file'],
  ])('is reported by its %s', async (_what, make, predicate) => {
    const command = make()
    expect(programFault(command)?.predicate).toContain(predicate)
    const born = spawnChild({ command, args: [], env }, () => undefined)
    const error = await born.then(
      () => undefined,
      (reason: unknown) => reason as Error & { readonly hint: string },
    )
    // `env` itself rejects a line break after it.
    if (error) {
      expect(error).toMatchObject({
        code: 'COMMAND_NOT_RUNNABLE',
        message: expect.stringContaining(predicate) as string,
      })
      expect(`${error.message} ${error.hint}`).not.toMatch(/was not found|[Ii]nstall/u)
    }
  })

  it.runIf(process.platform === 'darwin' || process.arch === 'x64')(
    'is reported by the processor it was built for',
    () => {
      expect(programFault(file(S390))?.predicate).toBe('was built for another processor or system')
    },
  )

  it.each([
    ['runs', () => process.execPath],
    ['has no first line of an interpreter', () => file('exit 0\n')],
    ['has a first line without an end', () => file(`#!/old-place/${'a/'.repeat(300)}python`)],
    ['has only the start of a header', () => file('\u007FELF\u0002')],
    ['is found by env', () => file('#!/usr/bin/env nodejs99\n1\n')],
    ['is not there', () => '/nowhere/program'],
  ])('is not claimed of a file that %s', (_what, make) => {
    expect(programFault(make())).toBeUndefined()
  })
})

describe.runIf(process.platform === 'linux')('A5: a value that is too long for the system', () => {
  it.each([
    ['a variable', { env: { ...env, NOTES_JSON: 'é'.repeat(90_000) } }, 'the variable NOTES_JSON'],
    ['an argument', { env, args: ['-e', 'x'.repeat(131_072)] }, 'argument 2'],
  ])('is named with its bytes: %s', async (_what, parts, subject) => {
    const bytes = parts.env === env ? '131,072' : '180,011'
    const born = spawnChild({ command: process.execPath, args: [], ...parts }, () => undefined)
    await expect(born).rejects.toMatchObject({
      code: 'COMMAND_NOT_RUNNABLE',
      message: `${process.execPath} couldn’t be started: ${subject} has ${bytes} bytes, but the system allows 131,071.`,
    })
  })

  it('names the largest value if only their sum is too long', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_one, index) => [`PART_${index}`, 'x'.repeat(100_000)]),
    )
    const spec = {
      command: process.execPath,
      args: [],
      env: { ...many, MOST: 'x'.repeat(130_000) },
    }
    await expect(spawnChild(spec, () => undefined)).rejects.toMatchObject({
      code: 'COMMAND_NOT_RUNNABLE',
      message: expect.stringContaining('The longest is the variable MOST') as string,
    })
  })
})
