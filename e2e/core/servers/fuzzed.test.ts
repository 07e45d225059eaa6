import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import { answer } from '../../../src-main/ipc/answer'
import { REQUEST_CHANNELS } from '../../../src-shared/ipc/channels'
import type { RequestChannel } from '../../../src-shared/ipc/contract'
import { requests } from '../../../src-shared/ipc/contract'
import { fixtureServer } from '../../fixtures/fixture-server'
import { hostileInput } from '../../fixtures/hostile-input'
import { openHarness } from '../../fixtures/open-harness'

/** Inputs per channel; FUZZ_RUNS tries more of them, with a new seed each time. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 12)
const SEED = process.env.FUZZ_RUNS === undefined ? 20_261_123 : undefined
/** Requests are answered much faster; a busy computer needs time. */
const LIMIT_MS = 300_000
/** The test has no catalog, so that no registry is asked. */
const NO_CATALOG = 'has not built the thread of the catalog'

/** Channels that remove what others use come last. */
const LAST: readonly RequestChannel[] = ['installation.remove', 'removal.remove', 'removal.end']
const CHANNELS = [...REQUEST_CHANNELS.filter((channel) => !LAST.includes(channel)), ...LAST]

describe('D7: a compromised page that sends anything on every channel', () => {
  it(
    'gets an answer or an explained error, starts nothing, and changes no prototype',
    async () => {
      const harness = openHarness()
      const installationId = await harness.installStopped(fixtureServer('plain.mjs'))
      const before = Object.getOwnPropertyNames(Object.prototype)
      const unexpected: string[] = []
      const answered = new Set<RequestChannel>()
      const rejected = new Set<RequestChannel>()
      for (const channel of CHANNELS) {
        if (channel === LAST[0])
          expect(await harness.view(installationId)).toMatchObject({
            pid: undefined,
            status: { kind: 'stopped' },
          })
        const { input, output } = requests[channel]
        const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
        const payloads = fc.sample(hostileInput(schema, [installationId]), {
          numRuns: RUNS,
          seed: SEED,
        })
        for (const raw of payloads) {
          const reply = await answer(harness.patchbay.handlers, channel, raw, (_channel, error) => {
            const text = String(error)
            if (!text.includes(NO_CATALOG))
              unexpected.push(`${channel} ${JSON.stringify(raw)}: ${text}`)
          })
          if (reply.ok) {
            answered.add(channel)
            expect(output.safeParse(reply.value).error, channel).toBeUndefined()
          } else {
            rejected.add(channel)
            expect(reply.error.message, channel).not.toBe('')
          }
        }
      }
      expect(unexpected).toEqual([])
      expect(rejected.size).toBeGreaterThan(CHANNELS.length / 2)
      expect(answered.size).toBeGreaterThan(10)
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
      expect(({} as { isOwned?: unknown }).isOwned).toBeUndefined()
    },
    LIMIT_MS,
  )
})
