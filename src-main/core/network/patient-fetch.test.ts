import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

import { describe, expect, it, onTestFinished } from 'vitest'

import { buildProgram } from '../../../e2e/fixtures/build-program'

const LATE = 'late'

describe('F10 the HTTP client', () => {
  it('waits for a head and a body longer than 300 s on each way to a server, as its caller does', async () => {
    // In a process of its own: its clock runs 500 times as fast.
    const { file, remove } = await buildProgram('e2e/fixtures/slow-answers.ts')
    onTestFinished(remove)
    const { stdout } = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    expect(JSON.parse(await text(stdout))).toEqual({
      // So long is it for this client, too.
      usual: expect.stringContaining('Headers Timeout') as string,
      ...{ local: LATE, remote: LATE, proxied: LATE },
    })
  })
})
