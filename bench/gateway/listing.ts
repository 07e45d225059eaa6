import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { interleave, timed } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { openPatchbay } from './patchbay-target'

const ROUND_LIMIT_MS = 60_000
const LISTS = 30
/** Size of 1,000 definitions. */
const MIN_BYTES = 300_000

const BAR: Bar = { metric: 'list-1000-tools-unchanged-ms', unit: 'ms', op: '<=', bar: 10 }

/** Time for a connected agent to list its 1,000 unchanged tools. */
export const listing: BenchPart = async ({ rounds }) => {
  const ours = await openPatchbay({ mode: 'thousand' })
  const peer = await ours.connect()
  const list = async (): Promise<number> => {
    const times: number[] = []
    for (let one = 0; one < LISTS; one += 1) {
      let bytes = 0
      times.push(await timed(async () => (bytes = (await peer.ask('tools/list', {})).length)))
      if (bytes < MIN_BYTES) throw new Error('These are not all tools.')
    }
    return median(times)
  }
  try {
    const times = await interleave({ ours: list }, { rounds, limitMs: ROUND_LIMIT_MS })
    return [{ row: toRow(BAR, median(times.ours)), rounds: times, roundUnit: 'ms' }]
  } finally {
    peer.close()
    await ours.close()
  }
}
