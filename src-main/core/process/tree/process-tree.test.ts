import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

import { afterEach, describe, expect, it } from 'vitest'

import type { RunningChild } from '../spawn/child-process'
import { spawnChild } from '../spawn/child-process'
import { GracefulStop } from '../spawn/graceful-stop'
import { startMark } from './process-table'
import { ProcessTree } from './process-tree'
import { openProcessTable, systemProcesses } from './system-processes'

const GRACE = { stdinMs: 400, termMs: 400, killMs: 20_000 }
const env = { PATH: process.env.PATH ?? '' }
const isLinux = process.platform === 'linux'
/** Survives everything but SIGKILL for a minute, and prints its pid. */
const SURVIVOR = `process.on('SIGTERM', () => {}); process.stdin.resume(); setTimeout(() => process.exit(), 60_000); process.stderr.write('survivor ' + process.pid + '\\n')`

const started: number[] = []
afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // ended as expected
    }
  }
})

/** Starts a child with a survivor; resolves once the survivor runs. */
async function startFamily(
  how: 'in the group' | 'in a session of its own' | 'with another environment',
  parent: 'ends with stdin' | 'ends immediately',
): Promise<{ child: RunningChild; survivor: number }> {
  const detached = how === 'in the group' ? 'false' : 'true'
  const other = how === 'with another environment' ? 'env: {},' : ''
  const code =
    `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(SURVIVOR)}], ` +
    `{ ${other} detached: ${detached}, stdio: ['ignore', 'inherit', 'inherit'] }); c.unref();` +
    (parent === 'ends immediately'
      ? 'setTimeout(() => process.exit(0), 100)'
      : `process.stdin.on('end', () => process.exit(0)).resume()`)
  let hear: (pid: number) => void = () => undefined
  const up = new Promise<number>((resolve) => (hear = resolve))
  const child = await spawnChild({ command: process.execPath, args: ['-e', code], env }, (line) => {
    const pid = /^survivor (\d+)$/u.exec(line)?.[1]
    if (pid !== undefined) hear(Number(pid))
  })
  const survivor = await up
  started.push(child.pid, survivor)
  return { child, survivor }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const startTime = systemProcesses.startTimeOf(pid)
  return startTime === undefined || systemProcesses.isRunning(pid, startTime)
}

/** Starts an unrelated program that must outlive every test. */
async function startUnrelated(): Promise<{ pid: number; end: () => void }> {
  const unrelated = spawn(process.execPath, ['-e', SURVIVOR], { stdio: ['pipe', 'ignore', 'pipe'] })
  await once(unrelated.stderr, 'data')
  started.push(unrelated.pid ?? 0)
  return { pid: unrelated.pid ?? 0, end: () => unrelated.kill('SIGKILL') }
}

describe.skipIf(process.platform === 'win32')('B6: a stop ends the whole tree', () => {
  it.each([
    ['in the group', 'ends with stdin'],
    ['in the group', 'ends immediately'],
    ['in a session of its own', 'ends with stdin'],
    ['with another environment', 'ends with stdin'],
  ] as const)('with a survivor %s whose parent %s', async (how, parent) => {
    const { child, survivor } = await startFamily(how, parent)
    await new GracefulStop(child, GRACE).stop()
    expect(isRunning(survivor)).toBe(false)
  })

  // Elsewhere it can be recognized only by its parent, which is gone.
  it.runIf(isLinux)('with a survivor in another session whose parent has ended', async () => {
    const { child, survivor } = await startFamily('in a session of its own', 'ends immediately')
    await child.exited
    const stop = new GracefulStop(child, GRACE)
    await stop.stop()
    expect(isRunning(survivor)).toBe(false)
  })

  it('with children that keep starting others', async () => {
    const brood = `const { spawn } = require('child_process'); process.on('SIGTERM', () => {}); let left = 300; setInterval(() => left-- > 0 ? spawn('/bin/sleep', ['30'], { detached: true, stdio: 'ignore' }).unref() : process.exit(), 20)`
    const child = await spawnChild(
      { command: process.execPath, args: ['-e', brood], env },
      () => undefined,
    )
    await expect.poll(async () => (await child.tree.look()).length).toBeGreaterThan(3)
    await new GracefulStop(child, GRACE).stop()
    expect(await child.tree.look()).toEqual([])
    await child.tree.exited
  })

  it('without ending other processes', async () => {
    const unrelated = await startUnrelated()
    const { child } = await startFamily('in a session of its own', 'ends with stdin')
    await new GracefulStop(child, GRACE).stop()
    expect(isRunning(unrelated.pid)).toBe(true)
    unrelated.end()
  })
})

describe.skipIf(process.platform === 'win32')('B6: a recycled pid', () => {
  it('is no member and is not signaled', async () => {
    const unrelated = await startUnrelated()
    const tree = new ProcessTree({
      pid: unrelated.pid,
      startTime: 'another',
      mark: startMark('0'.repeat(32), '1'),
      hasExited: () => true,
    })
    expect(await tree.signal('SIGKILL')).toBe(0)
    expect(await tree.isAlive()).toBe(false)
    expect(isRunning(unrelated.pid)).toBe(true)
    unrelated.end()
  })
})

describe.runIf(isLinux)('B6: the process table', () => {
  it.skipIf(!existsSync('/bin/ps'))('is the same through ps as through /proc', async () => {
    const unrelated = await startUnrelated()
    const [proc, ps] = await Promise.all([
      systemProcesses.read(),
      openProcessTable('darwin').read(),
    ])
    const fromPs = ps.get(unrelated.pid)
    expect(fromPs).toMatchObject({ parent: process.pid, isDead: false })
    expect(fromPs?.group).toBe(proc.get(unrelated.pid)?.group)
    expect(fromPs?.rssBytes).toBeGreaterThan(1024 * 1024)
    expect(fromPs?.startTime).toMatch(/^\w{3} \w{3} \d+ \d\d:\d\d:\d\d \d{4}$/u)
    unrelated.end()
  })

  it('has the memory and processor time that the process reports itself', async () => {
    const from = process.cpuUsage()
    const entry = (await systemProcesses.read()).get(process.pid)
    const to = process.cpuUsage()
    const ms = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000
    // The kernel counts in units of 10 ms, separately for user and system time.
    expect(entry?.cpuMs).toBeGreaterThanOrEqual(ms(from) - 40)
    expect(entry?.cpuMs).toBeLessThanOrEqual(ms(to) + 40)
    const rssBytes = process.memoryUsage.rss()
    expect(entry?.rssBytes).toBeGreaterThan(rssBytes / 2)
    expect(entry?.rssBytes).toBeLessThan(rssBytes * 2)
  })

  it('is read once for concurrent callers, and again for later ones', async () => {
    const table = openProcessTable('linux')
    const [first, second] = await Promise.all([table.read(), table.read()])
    expect(second).toBe(first)
    const unrelated = await startUnrelated()
    expect((await table.read()).has(unrelated.pid)).toBe(true)
    expect(first.has(unrelated.pid)).toBe(false)
    unrelated.end()
  })
})
