import { expect } from 'vitest'

import type { AppErrorCode } from '../../src-shared/domain/app-error'
import type { FaultRow } from './fault-row'
import { testRows } from './test-rows'

type End = { readonly how: string; readonly code: AppErrorCode; readonly words: string }

const ENDS: readonly End[] = [
  { how: '0', code: 'SERVER_EXITED', words: 'exited with code 0' },
  { how: '1', code: 'SERVER_EXITED', words: 'exited with code 1' },
  { how: '137', code: 'SERVER_KILLED', words: 'was ended by SIGKILL' },
  { how: 'SIGKILL', code: 'SERVER_KILLED', words: 'was ended by SIGKILL' },
]

function nameOf({ how }: End): string {
  return how.startsWith('SIG') ? `is ended by ${how}` : `exits with code ${how}`
}

function endsEarly(end: End, when: 'before' | 'listing'): FaultRow {
  const phrase = when === 'before' ? 'before it responded' : 'while listing its tools'
  return {
    fault: `${nameOf(end)} ${when === 'before' ? 'before the handshake' : 'while it lists its tools'}`,
    script: 'ends.mjs',
    args: [when, end.how],
    play: async (run) => {
      const message = new RegExp(`${end.words} ${phrase}`, 'u')
      const seen = await run.failsToStart({ code: end.code, message })
      expect((await run.view()).status).toMatchObject({ stderrTail: [`Ends by ${end.how}`] })
      return seen
    },
  }
}

function endsInUse(end: End): FaultRow {
  return {
    fault: `${nameOf(end)} after the handshake, in use`,
    script: 'ends.mjs',
    args: ['later', end.how],
    play: async (run) => {
      await run.startsWorking()
      const from = Date.now()
      await run.call('end')
      const message = new RegExp(`${end.words} while in use`, 'u')
      return run.isLost(from, { code: end.code, message })
    },
  }
}

/** Loses the server through an unanswered call; call and status give the same reason. */
function diesInCall(
  row: Pick<FaultRow, 'fault' | 'script' | 'args' | 'endsBy'>,
  tool: string,
  code: AppErrorCode,
  message: RegExp,
): FaultRow {
  return {
    ...row,
    play: async (run) => {
      await run.startsWorking()
      const from = Date.now()
      const call = await run.callFails(tool, { code, message })
      const lost = await run.isLost(from, { code, message })
      return { seen: `${call.seen}; then ${lost.seen}`, ms: Math.max(call.ms, lost.ms) }
    },
  }
}

testRows('servers that end, half end or do not want to', [
  ...ENDS.map((end) => endsEarly(end, 'before')),
  ...ENDS.slice(1, 2).map((end) => endsEarly(end, 'listing')),
  ...ENDS.map(endsInUse),
  diesInCall(
    { fault: 'dies in the middle of a call', script: 'dies-in-call.mjs' },
    'die',
    'SERVER_EXITED',
    /exited with code 7/u,
  ),
  {
    fault: 'ends after half of its handshake answer',
    script: 'half.mjs',
    args: ['initialize'],
    play: async (run) => {
      const message = /exited with code 0 before it responded/u
      const seen = await run.failsToStart({ code: 'SERVER_EXITED', message })
      expect((await run.view()).faults.noiseLines).toBe(1)
      return seen
    },
  },
  diesInCall(
    { fault: 'ends after half of its answer to a call', script: 'half.mjs', args: ['tools/call'] },
    'say',
    'SERVER_EXITED',
    /exited with code 0/u,
  ),
  {
    fault: 'closes stdout but lives',
    script: 'mute.mjs',
    play: (run) =>
      run.failsToStart({
        code: 'SERVER_EXITED',
        message: /closed its output before it responded/u,
      }),
  },
  {
    fault: 'closes stdout 0.3 s after its first listing but lives',
    script: 'mute.mjs',
    args: ['later'],
    endsBy: 'SIGKILL',
    play: async (run) => {
      await run.startsWorking()
      const { statusSince } = await run.view()
      const message = /closed its output while in use/u
      return run.isLost(statusSince, { code: 'SERVER_EXITED', message })
    },
  },
  {
    fault: 'closes stdin after the handshake and lives',
    script: 'deaf.mjs',
    play: (run) =>
      run.failsToStart({
        code: 'SERVER_EXITED',
        message: /closed its output|no longer reads/u,
      }),
  },
  {
    fault: 'closes stdin in use and lives, and is then called',
    script: 'stops-reading.mjs',
    args: ['closed'],
    endsBy: 'SIGTERM',
    play: async (run) => {
      await run.startsWorking()
      await run.call('turn_away')
      const from = Date.now()
      const failure = { code: 'SERVER_EXITED', message: /closed its output/u } as const
      const call = await run.callFails('any', failure)
      const lost = await run.isLost(from, failure)
      return { seen: `${call.seen}; then ${lost.seen}`, ms: Math.max(call.ms, lost.ms) }
    },
  },
  {
    fault: 'ignores the end of stdin',
    script: 'ignores.mjs',
    args: ['eof'],
    endsBy: 'SIGTERM',
    play: (run) => run.startsWorking(),
  },
  {
    fault: 'ignores SIGTERM too',
    script: 'ignores.mjs',
    args: ['term'],
    endsBy: 'SIGKILL',
    play: (run) => run.startsWorking(),
  },
  {
    fault: 'leaves a grandchild that ignores the end of stdin',
    script: 'leaves-child.mjs',
    endsBy: 'SIGTERM',
    play: (run) => run.startsWorking(),
  },
  diesInCall(
    {
      fault: 'dies in a call while a grandchild holds its pipes',
      script: 'leaves-child.mjs',
      endsBy: 'SIGTERM',
    },
    'leave',
    'SERVER_EXITED',
    /exited with code 1/u,
  ),
  diesInCall(
    {
      fault: 'dies in a call while a grandchild in a session of its own holds its pipes',
      script: 'leaves-child.mjs',
      args: ['session'],
      endsBy: 'SIGTERM',
    },
    'leave',
    'SERVER_EXITED',
    /exited with code 1/u,
  ),
])
