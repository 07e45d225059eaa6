import { readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { UnpackHarness } from '../../../e2e/fixtures/unpack-harness'
import { zipBytes } from '../../../e2e/fixtures/zip-bytes'

let harness: UnpackHarness
beforeEach(async () => {
  harness = await UnpackHarness.open()
})
afterEach(() => harness[Symbol.asyncDispose]())

describe('archives that would grow', () => {
  const zeros = (mb: number): Buffer => Buffer.alloc(mb * 1024 * 1024)

  it('are stopped long before they are unpacked', async () => {
    const error = await harness.refusal(zipBytes([{ name: 'bomb', data: zeros(64) }]))
    expect(error.message).toMatch(/"bomb" is larger/)
    expect(statSync(join(harness.folder, 'bomb')).size).toBeLessThan(32 * 1024 * 1024)
  })

  it('are stopped if their headers lie about sizes', async () => {
    const error = await harness.refusal(
      zipBytes([{ name: 'bomb', data: zeros(64), declaredBytes: 10 }]),
    )
    expect(error.code).toBe('INVALID_BUNDLE')
    expect(statSync(join(harness.folder, 'bomb')).size).toBeLessThan(1024 * 1024)
  })

  it('are stopped if many entries share one piece of data', async () => {
    const data = zeros(8)
    const of = { declaredBytes: data.length, declaredCrc: crc32(data), dataOf: 0 }
    const others = Array.from({ length: 200 }, (_, n) => ({ name: `f${String(n + 1)}`, ...of }))
    const error = await harness.refusal(zipBytes([{ name: 'f0', data }, ...others]))
    expect(error.message).toMatch(/its unpacked files are larger/)
    expect(readdirSync(harness.folder).length).toBeLessThan(10)
  })

  it('are limited per file and in total', async () => {
    const bytes = zipBytes([
      { name: 'a', data: Buffer.alloc(600, 'a') },
      { name: 'b', data: Buffer.alloc(600, 'b') },
    ])
    expect((await harness.refusal(bytes, { limits: { entryBytes: 500 } })).message).toMatch(
      /"a" is/,
    )
    await rm(harness.folder, { recursive: true })
    expect((await harness.refusal(bytes, { limits: { totalBytes: 1_000 } })).message).toMatch(
      /its unpacked files/,
    )
  })

  it('are rejected with 100,000 entries before the first is written', async () => {
    const entries = Array.from({ length: 100_000 }, (_, n) => ({ name: `f${String(n)}` }))
    const error = await harness.refusal(zipBytes(entries, { entryCount: 65_535 }))
    expect(error.message).toMatch(/more than 50000 files and folders/)
    expect(readdirSync(harness.folder)).toEqual([])
  })

  it('are rejected with an absurdly deep path', async () => {
    const error = await harness.refusal(zipBytes([{ name: `${'a/'.repeat(400)}f` }]))
    expect(error.message).toMatch(/is nested in too many folders/)
    expect(readdirSync(harness.folder)).toEqual([])
    await harness.unpack(zipBytes([{ name: `${'a/'.repeat(31)}f` }]))
  })

  it('are limited including folders that only paths name', async () => {
    const entries = Array.from({ length: 10 }, (_, n) => ({ name: `${String(n)}/b/c/f` }))
    const error = await harness.refusal(zipBytes(entries), { limits: { entries: 39 } })
    expect(error.message).toMatch(/more than 39 files and folders/)
    await rm(harness.folder, { recursive: true })
    expect((await harness.unpack(zipBytes(entries), { limits: { entries: 40 } })).files).toBe(10)
  })

  it('yield no more entries than they declare', async () => {
    const entries = Array.from({ length: 30 }, (_, n) => ({ name: `f${String(n)}` }))
    expect((await harness.unpack(zipBytes(entries, { entryCount: 5 }))).files).toBe(5)
  })
})
