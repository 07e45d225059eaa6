import {
  appendFileSync,
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MetricsFolder } from './metrics-folder'
import { emptyMinute, lineOf, MINUTE_MS } from './minute'

const NOW = Date.UTC(2026, 10, 22, 12)
const NOW_MINUTE = NOW / MINUTE_MS
const TODAY = '2026-11-22.jsonl'

let home = ''
let folder = ''
const opened: MetricsFolder[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'patchbay-figures-'))
  folder = join(home, 'figures')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()))
  rmSync(home, { recursive: true, force: true })
})

function open(troubles: (string | undefined)[] = []): MetricsFolder {
  const files = new MetricsFolder(
    folder,
    () => NOW,
    (message) => troubles.push(message),
  )
  opened.push(files)
  return files
}

function append(files: MetricsFolder, minute: number, requests = 1, id = 'one'): void {
  files.append(id, minute, lineOf({ ...emptyMinute(minute), requests }) ?? '')
}

async function minutesIn(files: MetricsFolder, id = 'one'): Promise<number[] | undefined> {
  return (await files.read(id))?.minutes.map(({ minute }) => minute)
}

describe('B11: metrics on disk', () => {
  it('are read by the next run, for the last 24 h and across midnight', async () => {
    const files = open()
    for (const ago of [1_500, 1_439, 720, 1, 0]) append(files, NOW_MINUTE - ago)
    append(files, NOW_MINUTE, 7, 'two')
    await files.close()
    expect(await minutesIn(open())).toEqual([1_439, 720, 1, 0].map((ago) => NOW_MINUTE - ago))
    expect((await open().read('two'))?.minutes).toEqual([
      { ...emptyMinute(NOW_MINUTE), requests: 7 },
    ])
    expect(readdirSync(join(folder, 'one')).sort()).toEqual(['2026-11-21.jsonl', TODAY])
  })

  it('are only those of earlier runs, whenever they are read', async () => {
    const files = open()
    append(files, NOW_MINUTE - 3)
    await files.close()
    const later = open()
    append(later, NOW_MINUTE - 1)
    append(later, NOW_MINUTE)
    await later.sweep()
    expect(await minutesIn(later)).toEqual([NOW_MINUTE - 3])
    expect(await minutesIn(open())).toEqual([NOW_MINUTE - 3, NOW_MINUTE - 1, NOW_MINUTE])
  })

  it('lose only a torn line, even with lines after it', async () => {
    const files = open()
    append(files, NOW_MINUTE - 2)
    await files.close()
    appendFileSync(join(folder, 'one', TODAY), '{"minute":29')
    const later = open()
    append(later, NOW_MINUTE)
    await later.close()
    const earlier = await open().read('one')
    expect([earlier?.minutes.map(({ minute }) => minute), earlier?.dropped]).toEqual([
      [NOW_MINUTE - 2, NOW_MINUTE],
      1,
    ])
  })

  it.skipIf(process.platform === 'win32')('are private', async () => {
    const files = open()
    append(files, NOW_MINUTE)
    await files.close()
    expect(statSync(join(folder, 'one')).mode & 0o77).toBe(0)
    expect(statSync(join(folder, 'one', TODAY)).mode & 0o77).toBe(0)
  })

  it('are deleted when older than yesterday', async () => {
    for (const [server, names] of [
      ['one', ['2026-11-01.jsonl', '2026-11-21.jsonl', TODAY, 'notes.txt']],
      ['gone', ['2026-10-01.jsonl', '2027-11-22.jsonl']],
    ] as const) {
      mkdirSync(join(folder, server), { recursive: true })
      for (const name of names) writeFileSync(join(folder, server, name), '')
    }
    await open().sweep()
    expect(readdirSync(folder)).toEqual(['one'])
    expect(readdirSync(join(folder, 'one')).sort()).toEqual([
      '2026-11-21.jsonl',
      TODAY,
      'notes.txt',
    ])
  })

  it('are deleted with their server', async () => {
    const files = open()
    append(files, NOW_MINUTE)
    append(files, NOW_MINUTE, 1, 'two')
    await files.remove('one')
    expect(readdirSync(folder)).toEqual(['two'])
  })

  it('are never outside their folder', async () => {
    const troubles: string[] = []
    const files = open(troubles)
    append(files, NOW_MINUTE, 1, '../outside')
    await files.remove('../../outside')
    expect(await minutesIn(files, '..')).toEqual([])
    await files.close()
    expect([existsSync(join(home, 'outside')), troubles]).toEqual([false, []])
  })

  it.skipIf(process.platform === 'win32')("don't follow a link in their place", async () => {
    const target = join(home, 'target')
    writeFileSync(target, 'mine\n')
    mkdirSync(join(folder, 'one'), { recursive: true })
    symlinkSync(target, join(folder, 'one', TODAY))
    const troubles: string[] = []
    const files = open(troubles)
    append(files, NOW_MINUTE)
    await files.close()
    expect([readFileSync(target, 'utf8'), troubles.length]).toEqual(['mine\n', 1])
  })

  it("are written, read and deleted if those of one server can't be", async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'a-first'), 'a file where a folder belongs')
    mkdirSync(join(folder, 'b-second', '2026-11-01.jsonl'), { recursive: true })
    mkdirSync(join(folder, 'two', '2026-11-21.jsonl'), { recursive: true })
    writeFileSync(join(folder, 'two', '2026-11-01.jsonl'), '')
    const troubles: (string | undefined)[] = []
    const files = open(troubles)
    append(files, NOW_MINUTE, 1, 'a-first')
    append(files, NOW_MINUTE, 1, 'two')
    await files.sweep()
    expect(readdirSync(join(folder, 'two')).sort()).toEqual(['2026-11-21.jsonl', TODAY])
    await files.close()
    expect(troubles).toHaveLength(1)
    expect(await minutesIn(open(), 'two')).toEqual([NOW_MINUTE])
  })

  it("wait for a disk that can't be written, which is reported once", async () => {
    writeFileSync(folder, 'a file where a folder belongs')
    const troubles: (string | undefined)[] = []
    const files = open(troubles)
    append(files, NOW_MINUTE - 1)
    await files.sweep()
    append(files, NOW_MINUTE)
    await files.sweep()
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toContain('Can’t save metrics')
    rmSync(folder)
    append(files, NOW_MINUTE + 1)
    await files.sweep()
    expect(troubles.slice(1)).toEqual([undefined])
    expect(await minutesIn(open())).toEqual([NOW_MINUTE - 1, NOW_MINUTE, NOW_MINUTE + 1])
    rmSync(folder, { recursive: true })
    writeFileSync(folder, 'again')
    append(files, NOW_MINUTE + 2)
    await files.close()
    expect(troubles).toHaveLength(3)
  })
})
