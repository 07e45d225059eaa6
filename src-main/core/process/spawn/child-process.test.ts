import { describe, expect, it } from 'vitest'

import { spawnChild } from './child-process'

const env = { PATH: process.env.PATH ?? '' }
const hear = (): void => undefined

describe("A5: a child that can't be started", () => {
  it("is named if its program doesn't exist", async () => {
    const spec = { command: '/nowhere/program', args: [], env }
    await expect(spawnChild(spec, hear)).rejects.toMatchObject({
      code: 'COMMAND_NOT_FOUND',
      message: '/nowhere/program was not found.',
    })
  })

  it('is distinguished from a missing folder', async () => {
    const spec = { command: process.execPath, args: ['--version'], env, cwd: '/nowhere' }
    await expect(spawnChild(spec, hear)).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: 'The working folder /nowhere doesn’t exist.',
    })
  })
})

describe('B1: stderr', () => {
  it('is received from its first byte to its last line without a line end', async () => {
    const lines: string[] = []
    const code = `process.stderr.write('first\\nlast')`
    const spec = { command: process.execPath, args: ['-e', code], env }
    const child = await spawnChild(spec, (line) => lines.push(line))
    await child.exited
    await child.drainStderr()
    expect(lines).toEqual(['first', 'last'])
  })
})
