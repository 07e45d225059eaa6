import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AppLog } from './app-log'

const NOW = new Date('2026-11-26T10:00:00Z')
let profileDir = ''
const logs = (): string => join(profileDir, 'logs')

beforeEach(() => {
  profileDir = mkdtempSync(join(tmpdir(), 'patchbay-app-log-'))
})
afterEach(() => rmSync(profileDir, { recursive: true, force: true }))

describe("D1: the app's log", () => {
  it('contains everything written to stderr, with times and masked secrets', () => {
    const log = new AppLog(profileDir, 1_000, () => NOW)
    log.mask = (text) => text.replaceAll('s3cret', '****')
    const written: unknown[] = []
    const stderr = { write: (chunk: unknown) => written.push(chunk) > 0 }
    {
      using _copy = log.copy(stderr)
      stderr.write('failed with s3cret\n  at line 1\n')
      stderr.write(Buffer.from('bytes\n'))
    }
    stderr.write('later\n')
    expect(written).toHaveLength(3)
    const stamp = '2026-11-26T10:00:00.000Z'
    expect(readFileSync(log.path, 'utf8')).toBe(
      `${stamp}  failed with ****\n${stamp}    at line 1\n${stamp}  bytes\n`,
    )
  })

  it('rotates at its size limit and keeps one older file', () => {
    const log = new AppLog(profileDir, 100, () => NOW)
    for (let count = 0; count < 20; count += 1) log.write('x'.repeat(40))
    expect(readdirSync(logs()).toSorted()).toEqual(['patchbay.1.log', 'patchbay.log'])
    for (const name of readdirSync(logs()))
      expect(readFileSync(join(logs(), name)).length).toBeLessThan(300)
  })

  it("follows no link, and doesn't recreate a removed folder", () => {
    const log = new AppLog(profileDir)
    const elsewhere = join(profileDir, 'elsewhere.txt')
    writeFileSync(elsewhere, 'kept')
    symlinkSync(elsewhere, log.path)
    log.write('text')
    expect(readFileSync(elsewhere, 'utf8')).toBe('kept')
    rmSync(logs(), { recursive: true })
    log.write('text')
    expect(readdirSync(profileDir)).toEqual(['elsewhere.txt'])
  })
})
