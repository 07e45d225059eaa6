import { describe, expect, it } from 'vitest'

import { missed, runSoak } from '../run-soak'
import { FAULTS } from './core-protocol'

/** Ends a hanging test; a busy computer takes minutes. */
const LIMIT_MS = 600_000

describe.runIf(process.platform === 'linux')(
  'D6: twenty agents that call twenty failing servers, leave and return',
  () => {
    it(
      'lose no answer, get none of another, and leave nothing behind',
      async () => {
        const rows = await runSoak(['gateway', '--seconds=20'], LIMIT_MS)
        expect(rows.length).toBeGreaterThan(25)
        expect(missed(rows)).toEqual([])
      },
      LIMIT_MS + 10_000,
    )

    it(
      'would be noticed if they did',
      async () => {
        const rows = await runSoak(
          ['gateway', '--seconds=10', ...FAULTS.map((fault) => `--plant=${fault}`)],
          LIMIT_MS,
        )
        const metrics = missed(rows).map((one) => one.replace(/ .*/u, ''))
        expect(metrics).toEqual(
          expect.arrayContaining([
            'answers-lost',
            'answers-crossed',
            'answers-extra',
            'calls-run-twice',
            'errors-unexplained',
            'progress-wrong',
            'cancels-untold',
            'children-wrong',
            'heap-end-vs-warm',
            'agent-sessions-left',
            'server-sessions-left',
            'handles-left',
            'children-left',
            'rejections-unhandled',
            'core-ended-by-itself',
          ]),
        )
      },
      LIMIT_MS + 10_000,
    )
  },
)
