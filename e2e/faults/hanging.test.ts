import { expect } from 'vitest'

import { statusOf } from './fault-run'
import { testRows } from './test-rows'

/** Deadline of endless phases and calls, in ms. */
const LIMIT_MS = 1_500
/** Deadline of calls with progress, in ms; a busy machine delays progress too. */
const KEPT_MS = 3_000

/** Three of these exceed the 64 MB that may wait for a server to read. */
const PILE = 3
const PILE_BYTES = 24 * 1024 * 1024

testRows('servers that hang or are slow', [
  {
    fault: 'hangs at initialize',
    script: 'hangs.mjs',
    args: ['initialize'],
    budgets: { handshakeMs: LIMIT_MS },
    play: (run) =>
      run.failsToStart({
        code: 'PHASE_TIMEOUT',
        message: /did not initialize within 1\.5 s/u,
      }),
  },
  {
    fault: 'hangs at tools/list',
    script: 'hangs.mjs',
    args: ['tools/list'],
    budgets: { discoverMs: LIMIT_MS },
    play: async (run) => {
      const seen = await run.failsToStart({
        code: 'PHASE_TIMEOUT',
        message: /did not list its tools within 1\.5 s/u,
      })
      const { phases } = await run.view()
      expect(phases.map(({ phase, outcome }) => `${phase} ${outcome}`)).toEqual([
        'resolve done',
        'install skipped',
        'spawn done',
        'handshake done',
        'discover failed',
      ])
      return seen
    },
  },
  {
    fault: 'hangs at a call',
    script: 'hangs.mjs',
    args: ['tools/call'],
    play: async (run) => {
      await run.startsWorking()
      const seen = await run.callFails(
        'any',
        { code: 'REQUEST_TIMEOUT', message: /1\.5 s/u },
        {},
        { timeoutMs: LIMIT_MS },
      )
      expect((await run.view()).status.kind).toBe('ready')
      return seen
    },
  },
  {
    fault: 'answers the handshake a byte a second',
    script: 'trickle.mjs',
    args: ['initialize'],
    budgets: { handshakeMs: LIMIT_MS },
    play: (run) =>
      run.failsToStart({
        code: 'PHASE_TIMEOUT',
        message: /did not initialize within 1\.5 s/u,
      }),
  },
  {
    fault: 'answers a call a byte a second',
    script: 'trickle.mjs',
    args: ['tools/call'],
    play: async (run) => {
      await run.startsWorking()
      const failure = { code: 'REQUEST_TIMEOUT', message: /1\.5 s/u } as const
      const { seen, ms } = await run.callFails('drip', failure, {}, { timeoutMs: LIMIT_MS })
      return { seen: `${seen}; then ${await run.goesOn({ lateAnswers: 1 })}`, ms }
    },
  },
  {
    fault: 'works longer than the deadline, and reports progress',
    script: 'works.mjs',
    play: async (run) => {
      await run.startsWorking()
      const from = performance.now()
      await run.call('slow', { ms: 2 * KEPT_MS, every: 100 }, { timeoutMs: KEPT_MS })
      const ms = performance.now() - from
      return { seen: `Call: answered; then ${await run.goesOn({}, 'slow', { ms: 1 })}`, ms }
    },
  },
  {
    fault: 'reports progress without an end',
    script: 'works.mjs',
    play: async (run) => {
      await run.startsWorking()
      const limits = { timeoutMs: KEPT_MS, maxTotalMs: 2 * KEPT_MS }
      const failure = {
        code: 'REQUEST_TIMEOUT',
        message: /still working on .* after 6 s/u,
      } as const
      const { seen, ms } = await run.callFails('slow', failure, { every: 100 }, limits)
      await run.call('slow', { ms: 1 })
      return { seen: `${seen}; then ${statusOf(await run.view())}`, ms }
    },
  },
  {
    fault: 'stops reading, so that what it is sent piles up',
    script: 'stops-reading.mjs',
    endsBy: 'SIGTERM',
    peakMb: 500,
    play: async (run) => {
      await run.startsWorking()
      const limit = { timeoutMs: LIMIT_MS }
      const timeout = { code: 'REQUEST_TIMEOUT', message: /1\.5 s/u } as const
      await run.callFails('turn_away', timeout, {}, limit)
      const text = 'a'.repeat(PILE_BYTES)
      const pile = Array.from({ length: PILE }, () =>
        run.callFails('any', timeout, { text }, limit),
      )
      const rejected = { code: 'SERVER_NOT_READING', message: /has not read/u } as const
      const [seen] = await Promise.all([run.callFails('any', rejected, { text }), ...pile])
      return seen
    },
  },
  {
    fault: 'waits for answers to its own five requests before the handshake',
    script: 'asks.mjs',
    args: ['first'],
    play: async (run) => {
      const { ms } = await run.startsWorking()
      return { seen: await run.goesOn({}), ms }
    },
  },
  {
    fault: 'waits for answers to its own five requests during a call',
    script: 'asks.mjs',
    play: async (run) => {
      await run.startsWorking()
      const { text, ms } = await run.calls('ask')
      const { ping, stray, ...others } = JSON.parse(text) as Record<string, unknown>
      expect({ ping, stray }).toEqual({ ping: 'answered', stray: 0 })
      expect(others).toEqual({
        'roots/list': 'answered',
        'sampling/createMessage': -32601,
        'elicitation/create': -32602,
        'made/up': -32601,
      })
      await run.goesOn({})
      return { seen: 'Call: answered, as each of its own requests was', ms }
    },
  },
])
