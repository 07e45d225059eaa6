import { describe, expect, it } from 'vitest'

import { isTreeAlive } from '../../../../e2e/fixtures/is-tree-alive'
import type { RunningChild } from './child-process'
import { spawnChild } from './child-process'
import { GracefulStop } from './graceful-stop'

const GRACE = { stdinMs: 400, termMs: 400, killMs: 20_000 }
/** Leaves time for an action after SIGTERM. */
const PATIENT = { ...GRACE, termMs: 4_000 }

/** Starts a real child that prints `up` on stderr. */
async function start(code: string): Promise<{ child: RunningChild; lines: string[] }> {
  const lines: string[] = []
  let hear: (() => void) | undefined
  const isUp = new Promise<void>((resolve) => (hear = resolve))
  const spec = {
    command: process.execPath,
    args: ['-e', `${code}; process.stderr.write('up\\n')`],
    env: { PATH: process.env.PATH ?? '' },
  }
  const child = await spawnChild(spec, (line) => {
    lines.push(line)
    if (line === 'up') hear?.()
  })
  await isUp
  return { child, lines }
}

describe('B6: staged stop', () => {
  it('ends stdin, and stops there if the child exits', async () => {
    const { child } = await start(`process.stdin.on('end', () => process.exit(5)).resume()`)
    await new GracefulStop(child, { ...GRACE, stdinMs: 10_000 }).stop()
    expect(await child.exited).toEqual({ code: 5, signal: null })
  })

  it('sends SIGTERM if the end of stdin has no effect', async () => {
    const { child } = await start(`setTimeout(() => {}, 60_000)`)
    const from = Date.now()
    await new GracefulStop(child, PATIENT).stop()
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' })
    expect(Date.now() - from).toBeGreaterThanOrEqual(GRACE.stdinMs)
  })

  it('sends SIGTERM immediately if the wait for the exit was long enough before', async () => {
    const { child } = await start(`setTimeout(() => {}, 60_000)`)
    await new GracefulStop(child, { ...PATIENT, stdinMs: 600_000 }).stop(600_000)
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('sends SIGKILL to a child that ignores SIGTERM', async () => {
    const { child, lines } = await start(
      `process.on('SIGTERM', () => process.stderr.write('no\\n')); setTimeout(() => {}, 60_000)`,
    )
    await new GracefulStop(child, PATIENT).stop()
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(lines).toContain('no')
  })

  it('leaves nothing of the tree, even if the parent exits immediately', async () => {
    const { child } = await start(
      `require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' });` +
        `process.stdin.on('end', () => process.exit(0)).resume()`,
    )
    await new GracefulStop(child, GRACE).stop()
    expect(isTreeAlive(child.pid)).toBe(false)
  })

  it('runs once for all callers', async () => {
    const { child } = await start(`process.stdin.on('end', () => process.exit(0)).resume()`)
    const stop = new GracefulStop(child, GRACE)
    expect(stop.stop()).toBe(stop.stop())
    await stop.stop()
  })

  it('moves to the next stage immediately on escalate', async () => {
    const { child } = await start(`setTimeout(() => {}, 60_000)`)
    const stop = new GracefulStop(child, { stdinMs: 60_000, termMs: 60_000, killMs: 20_000 })
    void stop.stop()
    await stop.escalate()
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' })
  })
})
