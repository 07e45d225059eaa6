import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { expect, it } from 'vitest'

const HEAP_BOUNDS = join(import.meta.dirname, 'heap-bounds.ts')
/** Fills the old generation three times until V8 collects it, and prints its growth factors. */
const PROGRAM = `
import { setImmediate, setTimeout } from 'node:timers/promises'
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
const { boundHeap } = await import(${JSON.stringify(HEAP_BOUNDS)})

let collections = 0
new PerformanceObserver((list) => {
  const full = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  collections += list.getEntries().filter(full).length
}).observe({ entryTypes: ['gc'] })
const megabyte = () => Array.from({ length: 1024 }, () => new Array(126).fill(1))
const oldBytes = () =>
  getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size

boundHeap(0)
globalThis.kept = Array.from({ length: 16 }, megabyte)
await setTimeout(20)
gc()
await setTimeout(20)
const factors = []
for (let round = 0; round < 3; round++) {
  const before = oldBytes()
  const collected = collections
  globalThis.filling = []
  for (let megabytes = 0; collections === collected && megabytes < 1000; megabytes++) {
    globalThis.filling.push(megabyte())
    await setImmediate()
  }
  factors.push(globalThis.filling.length / (before / 2 ** 20))
}
console.log(JSON.stringify(factors))
`

it('lets V8 collect after growth by half, and later if collections follow each other quickly', () => {
  const child = spawnSync(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', PROGRAM],
    { encoding: 'utf8' },
  )
  expect(child.stderr).toBe('')
  const [first, , third] = JSON.parse(child.stdout) as [number, number, number]
  expect(first).toBeLessThan(1.5)
  expect(third).toBeGreaterThan(1.5)
})
