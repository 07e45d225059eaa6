import { expect } from 'vitest'

import type { FaultRow } from './fault-row'
import { testRows } from './test-rows'

const MEGABYTE = 1024 * 1024
const NOISE_LINES = 500_000
const TOOLS = 10_000
/** Lines that `floods.mjs` writes for 1 GB: blocks of 64 lines of 1,021 bytes. */
const FLOOD_LINES = Math.ceil((1024 * MEGABYTE) / (64 * 1_021)) * 64
/** Most lines of a log in memory, and their memory. */
const LOG_LINES = 100_000
const LOG_MB = 160

testRows('servers that send or take much', [
  {
    fault: 'lists 10,000 tools',
    script: 'many-tools.mjs',
    args: [String(TOOLS)],
    // Its tools stay known while it is stopped (C8), each with its place and decision.
    keptMb: 48,
    play: async (run) => {
      const seen = await run.startsWorking()
      expect((await run.view()).counts.tools).toBe(TOOLS)
      return seen
    },
  },
  {
    fault: 'takes a 32 MB argument',
    script: 'sizes.mjs',
    peakMb: 400,
    play: async (run) => {
      await run.startsWorking()
      const { text, ms } = await run.calls('measure', { text: 'a'.repeat(32 * MEGABYTE) })
      expect(Number(text)).toBe(32 * MEGABYTE)
      return { seen: `Call: answered; then ${await run.goesOn({})}`, ms }
    },
  },
  {
    fault: 'answers with 64 MB',
    script: 'sizes.mjs',
    peakMb: 600,
    play: async (run) => {
      await run.startsWorking()
      const { text, ms } = await run.calls('large', { megabytes: 64 })
      expect(text.length).toBe(64 * MEGABYTE)
      return { seen: `Call: answered; then ${await run.goesOn({})}`, ms }
    },
  },
  ...(['first', 'last'] as const).map((place): FaultRow => ({
    fault: `answers with 300 MB, its id ${place}`,
    script: 'sizes.mjs',
    peakMb: 800,
    play: async (run) => {
      await run.startsWorking()
      const large = { megabytes: 300, idLast: place === 'last' }
      const failure = { code: 'MESSAGE_TOO_LARGE', message: /300|314|256/u } as const
      const { seen, ms } = await run.callFails('large', failure, large)
      return { seen: `${seen}; then ${await run.goesOn({ oversizedMessages: 1 })}`, ms }
    },
  })),
  {
    fault: 'writes 1 GB on stderr before it answers',
    script: 'floods.mjs',
    args: ['1024'],
    budgets: { handshakeMs: 60_000 },
    keptMb: LOG_MB,
    peakMb: 2 * LOG_MB,
    play: async (run) => {
      const { ms } = await run.startsWorking()
      const seen = await run.goesOn({})
      // Lines that waited when the server became Ready are counted soon.
      await expect
        .poll(async () => (await run.logSize()).counted)
        .toBeGreaterThanOrEqual(FLOOD_LINES)
      const { held, counted } = await run.logSize()
      expect(held).toBeLessThanOrEqual(LOG_LINES)
      const [kept, all] = [held, counted].map((count) => count.toLocaleString('en'))
      return { seen: `${seen}; the log holds ${kept} of ${all} lines`, ms }
    },
  },
  {
    fault: 'writes 100 MB of noise on stdout, half before the handshake and half in a call',
    script: 'noise.mjs',
    args: [String(NOISE_LINES)],
    budgets: { handshakeMs: 60_000 },
    keptMb: LOG_MB,
    peakMb: 2 * LOG_MB,
    play: async (run) => {
      const { ms } = await run.startsWorking()
      await run.call('say', {}, { timeoutMs: 60_000 })
      return { seen: await run.goesOn({ noiseLines: 2 * NOISE_LINES }), ms }
    },
  },
])
