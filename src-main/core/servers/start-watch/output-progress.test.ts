import { describe, expect, it } from 'vitest'

import { OutputProgress, progressLabel } from './output-progress'

function taken(lines: readonly string[]): boolean[] {
  const progress = new OutputProgress()
  return lines.map((line) => progress.add(line))
}

/** Number of lines that count as progress. */
function count(lines: readonly string[]): number {
  return taken(lines).filter(Boolean).length
}

describe('F14: output that shows progress', () => {
  it.each([
    ['percentages', (n: number) => `model.safetensors: ${String(n)}%|${'#'.repeat(n)}   | 5M/500M`],
    ['counted packages', (n: number) => `Progress: resolved ${String(n)}, downloaded 1`],
    ['bytes', (n: number) => `Downloading torch (${String(n)} MiB)`],
    ['parts of a whole', (n: number) => `[${String(n)}/40] Building module.o`],
    ['other names each time', (n: number) => `Unpacking ${'abcdefghijklmnopqrstuvwxyz'[n] ?? ''}`],
  ])('includes lines with rising %s', (_, line) => {
    expect(count(Array.from({ length: 20 }, (_unused, n) => line(n + 1)))).toBe(20)
  })

  it('continues with the next of several files', () => {
    const lines = [1, 2, 3].flatMap((file) =>
      [10, 50, 100].map((done) => `Fetching shard ${String(file)}: ${String(done)}%`),
    )
    expect(count(lines)).toBe(9)
  })

  it.each([
    ['is the same', () => 'Waiting for the database'],
    ['has another time', (n: number) => `2026-11-28T18:05:${String(n + 10)}.123Z loading`],
    [
      'has another time of day and duration',
      (n: number) => `[18:05:${String(n + 10)}] busy (${String(n)} s)`,
    ],
    ['counts attempts', (n: number) => `Connection failed, retrying (attempt ${String(n)})`],
    ['has another id', (n: number) => `request 8f3a${String(n)}c2b1 failed`],
    ['turns a spinner', (n: number) => `${'⠋⠙⠹⠸⠼'[n % 5] ?? ''} Connecting`],
    ['grows dots', (n: number) => `Connecting${'.'.repeat(n % 4)}`],
    ['begins again and again', (n: number) => `Downloading ${String((n % 3) * 10)}%`],
    ['is one of two', (n: number) => (n % 2 === 0 ? 'ping' : 'pong')],
  ])('excludes a line that %s', (_, line) => {
    const isNew = taken(Array.from({ length: 20 }, (_unused, n) => line(n)))
    expect(isNew.slice(5)).not.toContain(true)
  })

  it('takes little time for hostile lines', () => {
    const began = process.cpuUsage().user
    for (const part of ['#', '9', '1:', 'a-', '|', '. ', '12 ', '[', 'abcdef0'])
      taken([part.repeat(500_000), part.repeat(400_000)])
    expect((process.cpuUsage().user - began) / 1_000).toBeLessThan(2_000)
  })
})

describe("F14: the label of a start's work", () => {
  it.each([
    [
      'model.safetensors:  69%|########    | 345M/500M [00:31<00:20, 11.2MB/s]',
      'Downloading: model.safetensors 69%',
    ],
    ['Downloading numpy (16.1 MiB)', 'Downloading: numpy (16.1 MiB)'],
    ['Progress: resolved 12, downloaded 3', 'Downloading: Progress: resolved 12, downloaded 3'],
    ['[3/40] Building module.o', 'Working: [3/40] Building module.o'],
    ['Loading checkpoint 40%', 'Working: Loading checkpoint 40%'],
  ])('is read from “%s”', (line, label) => {
    expect(progressLabel(line)).toBe(label)
  })
})
