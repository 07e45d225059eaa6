import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { documentOverConf } from './document-over-conf'
import { recoverDocument } from './recover-document'

const clock = { now: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678) }

describe('A2: an unusable settings file', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'patchbay-document-'))
    file = join(folder, 'settings.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const movedTo = (): string => join(folder, 'settings.corrupt-2026-01-02T03-04-05.678Z.json')

  it.each([
    ['a truncated document', '{"settings": {', 'The settings file isn’t valid JSON.'],
    ['an empty text', '', 'The settings file is empty.'],
    ['zeros, as after a crash', '\u0000\u0000\u0000', 'The settings file is empty.'],
    ['bytes that aren’t text', '\u0000\u0001', 'The settings file isn’t valid JSON.'],
    ['a list', '[]', 'The settings file isn’t a JSON object.'],
    ['null', 'null', 'The settings file isn’t a JSON object.'],
    ['a number', '7', 'The settings file isn’t a JSON object.'],
  ])('is moved aside unchanged if it holds %s', (_what, text, reason) => {
    writeFileSync(file, text)
    const [notice] = recoverDocument(file, clock)
    expect(readFileSync(movedTo(), 'utf8')).toBe(text)
    expect(existsSync(file)).toBe(false)
    expect(notice?.title).toBe('Patchbay started with empty settings')
    expect(notice?.message).toContain(`${reason} The damaged file was saved as ${movedTo()}.`)
  })

  it('stays if it is an object', () => {
    writeFileSync(file, '{"anything": 1}')
    expect(recoverDocument(file, clock)).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe('{"anything": 1}')
    expect(readdirSync(folder)).toEqual(['settings.json', 'settings.last-good.json'])
    expect(statSync(join(folder, 'settings.last-good.json')).mode & 0o077).toBe(0)
  })

  it.each([
    ['an empty text', ''],
    ['zeros, as after a crash', '\u0000'.repeat(200)],
    ['a truncated document', '{"settings": {'],
    ['a list', '[]'],
  ])('is replaced by the last good copy if it holds %s, with a notice', (_what, text) => {
    const conf = { path: file, store: {} }
    documentOverConf(conf).write({ settings: { theme: 'dark' } })
    writeFileSync(file, text)
    const notices = recoverDocument(file, clock)
    expect(notices.map(({ title }) => title)).toEqual(['Patchbay restored its last good settings'])
    expect(notices[0]?.message).toContain(movedTo())
    expect(readFileSync(movedTo(), 'utf8')).toBe(text)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ settings: { theme: 'dark' } })
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(recoverDocument(file, clock)).toEqual([])
  })

  it('is replaced by the content of the last start if nothing was written since', () => {
    writeFileSync(file, '{"by": "hand"}')
    recoverDocument(file, clock)
    writeFileSync(file, '')
    recoverDocument(file, clock)
    expect(readFileSync(file, 'utf8')).toBe('{"by": "hand"}')
  })

  it('starts empty if the copy is damaged, too', () => {
    for (const name of ['settings.json', 'settings.last-good.json'])
      writeFileSync(join(folder, name), '\u0000')
    expect(recoverDocument(file, clock)[0]?.title).toBe('Patchbay started with empty settings')
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['UTF-8', Buffer.from('\uFEFF{"a": "ü"}')],
    ['UTF-16', Buffer.from('\uFEFF{"a": "ü"}', 'utf16le')],
    ['UTF-16 in the other byte order', Buffer.from('\uFEFF{"a": "ü"}', 'utf16le').swap16()],
  ])('is read despite a byte order mark of %s', (_what, bytes) => {
    writeFileSync(file, bytes)
    expect(recoverDocument(file, clock)).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe('{"a": "ü"}')
  })

  it.each([2, '2', null, { major: 2 }])(
    'is used as far as readable, and copied, if its version is %j',
    (version) => {
      const text = JSON.stringify({ version, settings: { later: true } })
      writeFileSync(file, text)
      const [notice, ...others] = recoverDocument(file, clock)
      expect(others).toEqual([])
      expect(notice?.title).toBe('The settings are from a newer Patchbay')
      const copy = readdirSync(folder).find((name) => name.startsWith('settings.version-')) ?? ''
      expect(notice?.message).toContain(join(folder, copy))
      expect(readFileSync(join(folder, copy), 'utf8')).toBe(text)
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )

  it.skipIf(process.platform === 'win32')("isn't followed if it is a link", () => {
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, '{"not": "ours"}')
    symlinkSync(elsewhere, file)
    const [notice] = recoverDocument(file, clock)
    expect(notice?.message).toContain('The settings file is a link to another place.')
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(elsewhere, 'utf8')).toBe('{"not": "ours"}')
  })

  it("stays if it can't be rewritten without its byte order mark, which prevents the start", () => {
    const text = '\uFEFF{"anything": 1}'
    writeFileSync(file, text)
    mkdirSync(`${file}.new`)
    expect(() => recoverDocument(file, clock)).toThrow(
      expect.objectContaining({
        code: 'INTERNAL',
        message: expect.stringContaining('couldn’t be rewritten') as string,
      }),
    )
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it("is used even if its copy can't be written, which is logged", () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    writeFileSync(file, '{"anything": 1}')
    const copy = join(folder, 'settings.last-good.json')
    mkdirSync(`${copy}.new`)
    expect(recoverDocument(file, clock)).toEqual([])
    expect(String(write.mock.calls[0]?.[0])).toMatch(`patchbay: ${copy} couldn’t be written (`)
  })

  it('may be missing', () => {
    expect(recoverDocument(file, clock)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it("prevents the start with a message if it can't be read", () => {
    // A folder in its place: unlike a missing permission, this also fails for root.
    mkdirSync(file)
    expect(() => recoverDocument(file, clock)).toThrow(`The settings file ${file} couldn’t be read`)
  })
})
