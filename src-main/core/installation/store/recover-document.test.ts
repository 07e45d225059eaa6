import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { recoverDocument, recoveryNotices } from './recover-document'

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) }

describe('A2 a settings file that cannot be used', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-document-'))
    file = join(folder, 'settings.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each([
    ['half a document', '{"settings": {', 'The settings file isn’t valid JSON.'],
    ['no text', '', 'The settings file is empty.'],
    ['bytes that are no text', '\u0000\u0001', 'The settings file isn’t valid JSON.'],
    ['a list', '[]', 'The settings file isn’t a JSON object.'],
    ['null', 'null', 'The settings file isn’t a JSON object.'],
    ['a number', '7', 'The settings file isn’t a JSON object.'],
  ])('is moved aside unchanged when it holds %s', (_what, text, reason) => {
    writeFileSync(file, text)
    const recovered = recoverDocument(file, clock)
    const movedTo = join(folder, 'settings.corrupt-2026-01-02T03-04-05.678Z.json')
    expect(recovered).toEqual({ movedTo, reason })
    expect(readFileSync(movedTo, 'utf8')).toBe(text)
    expect(existsSync(file)).toBe(false)
    const [notice] = recoveryNotices(recovered)
    expect(notice?.message).toContain(`${reason} The file was saved as ${movedTo}.`)
  })

  it('stays where it is when it is an object', () => {
    writeFileSync(file, '{"anything": 1}')
    expect(recoverDocument(file, clock)).toEqual({})
    expect(readdirSync(folder)).toEqual(['settings.json'])
    expect(recoveryNotices({})).toEqual([])
  })

  it('may be missing', () => {
    expect(recoverDocument(file, clock)).toEqual({})
    expect(readdirSync(folder)).toEqual([])
  })

  it('stops the start, with words, when it cannot be read', () => {
    // A folder in its place: unlike a missing permission, it stops root too.
    mkdirSync(file)
    expect(() => recoverDocument(file, clock)).toThrow(`The settings file ${file} couldn’t be read`)
  })
})
