import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ManualClock } from '../../../e2e/fixtures/manual-clock'
import { node, PLAIN, TestServers, until, untilKind } from '../../../e2e/fixtures/test-servers'
import { RunnerError } from '../launch/runners/runner-error'
import type { ChildSpec } from '../process/spawn/child-process'

let supervisors: TestServers
let clock: ManualClock
beforeEach(() => {
  supervisors = new TestServers()
  clock = new ManualClock()
})
afterEach(() => supervisors[Symbol.asyncDispose]())

describe('A8: a start whose runner is not running', () => {
  const failure = (code: 'RUNNER_NOT_RUNNING' | 'RUNNER_NOT_ALLOWED') =>
    new RunnerError(code, 'Docker is installed but not running.', undefined, {
      ...{ command: 'docker', problem: 'notRunning', setups: [], lookedIn: [] },
    })

  it('is retried until the runner is up, without a pause', async () => {
    let asked = 0
    const prepare = (): ChildSpec => {
      asked += 1
      if (asked <= 7) throw failure('RUNNER_NOT_RUNNING')
      return node(PLAIN)
    }
    const settings = { startsAgain: true, startTries: 2 }
    const { server } = supervisors.open({ prepare, settings, time: clock })
    server.start()
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      await until(() => server.status.kind === 'backingOff' && server.status.attempt === attempt)
      expect(server.status).toMatchObject({ code: 'RUNNER_NOT_RUNNING', because: 'unreached' })
      clock.pass(80_000)
    }
    await untilKind(server, 'ready')
  })

  it('stays an error if the account may not use the runner', async () => {
    const prepare = (): ChildSpec => {
      throw failure('RUNNER_NOT_ALLOWED')
    }
    const { server } = supervisors.open({ prepare, settings: { startsAgain: true }, time: clock })
    server.start()
    await untilKind(server, 'error')
  })
})
