import { PassThrough } from 'node:stream'

import { describe, expect, it, onTestFinished } from 'vitest'

import { pause } from '../../../../e2e/fixtures/pause'
import { type RunningChild, spawnChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE } from '../../process/spawn/graceful-stop'
import type { ProcessTree } from '../../process/tree/process-tree'
import { ChildLine } from './child-line'

/** A line to a real child that runs this code. */
async function open(code: string): Promise<ChildLine> {
  const env = { PATH: process.env.PATH ?? '' }
  const spec = { command: process.execPath, args: ['-e', code], env }
  const child = await spawnChild(spec, () => undefined)
  const ignore = (): undefined => undefined
  const line = new ChildLine(child, { onNoise: ignore, onFault: ignore, onWarning: ignore })
  onTestFinished(() => line.stop())
  await line.transport.start()
  return line
}

/** A child without a process, whose pipes are broken and which ends by SIGTERM alone. */
function deafChild(onSignal: (name: string) => void): RunningChild {
  let isAlive = true
  const tree = {
    lookAhead: () => Promise.resolve(),
    isAlive: () => Promise.resolve(isAlive),
    signal: (name: string) => {
      isAlive = false
      onSignal(name)
      return Promise.resolve(1)
    },
  }
  const child = {
    ...{ pid: 0, stdin: new PassThrough().destroy(), stdout: new PassThrough().destroy() },
    exited: new Promise<never>(() => undefined),
    drainStderr: () => Promise.resolve(),
    traffic: () => ({ bytesIn: 0, bytesOut: 0 }),
    container: undefined,
    settle: () => undefined,
  }
  return { ...child, tree: tree as unknown as ProcessTree }
}

describe('B6 a child that is stopped because its pipes broke', () => {
  it('is ended in the time of any stop: what its exit is waited for comes off', async () => {
    const order: string[] = []
    const ignore = (): undefined => undefined
    const line = new ChildLine(
      deafChild((name) => order.push(name)),
      { onNoise: ignore, onFault: ignore, onWarning: ignore },
    )
    const later = pause(DEFAULT_STOP_GRACE.stdinMs + 1_000).then(() => order.push('a second later'))
    await Promise.all([line.stop(), later])
    expect(order).toEqual(['SIGTERM', 'a second later'])
  })
})

const CLOSED = `const { closeSync } = require('node:fs'); closeSync(0); closeSync(1);`

describe('B7 a child that is stopped because its pipes broke', () => {
  it('is told by its exit code where it ends by itself a moment later', async () => {
    const line = await open(`${CLOSED} setTimeout(() => process.exit(3), 700)`)
    await line.ended
    await line.stop()
    expect(line.endReason('before it answered').message).toBe(
      'The server exited with code 3 before it answered.',
    )
  })

  it('is told to have closed its line where it lives on', async () => {
    const line = await open(`${CLOSED} setInterval(() => undefined, 1_000)`)
    await line.ended
    await line.stop()
    expect(line.endReason('before it answered').message).toBe(
      'The server closed its end of the line before it answered.',
    )
  })
})
