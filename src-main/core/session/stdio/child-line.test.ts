import { describe, expect, it, onTestFinished } from 'vitest'

import { spawnChild } from '../../process/spawn/child-process'
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
