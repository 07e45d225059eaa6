import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

import { describe, expect, it, onTestFinished } from 'vitest'

import { buildProgram } from '../../../e2e/fixtures/build-program'

const LATE = 'late'

describe('F10: the HTTP client', () => {
  it('waits longer than 300 s for head and body on every route to a server', async () => {
    // In its own process, whose clock runs 500 times as fast.
    const { file, remove } = await buildProgram('e2e/fixtures/slow-answers.ts')
    onTestFinished(remove)
    const { stdout } = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    expect(JSON.parse(await text(stdout))).toEqual({
      // Also this long for the default client.
      usual: expect.stringContaining('Headers Timeout') as string,
      ...{ local: LATE, remote: LATE, proxied: LATE },
    })
  })
})
