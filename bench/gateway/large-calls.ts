import type { BenchPart } from '../measure/bench'
import { median, medianRatio } from '../measure/median'
import { interleave, type Side, timed } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { openPatchbay } from './patchbay-target'
import type { Peer } from './peer'
import { openFloor, type Target } from './target'

const ROUND_LIMIT_MS = 60_000
const CALLS = 40
const MEGABYTE = 1024 * 1024
const ARGUMENT = 'A line of an argument, "quoted" once.\n'

const BARS = {
  megabyte: { metric: 'calls-1mb-vs-floor', unit: 'x', op: '>=', bar: 0.85 },
  result: { metric: 'result-64mb-s', unit: 's', op: '<=', bar: 2 },
  argument: { metric: 'argument-8mb-s', unit: 's', op: '<=', bar: 1 },
} as const satisfies Record<string, Bar>

/** Results of 1 MB against the floor; one of 64 MB, and an argument of 8 MB, absolute. */
export const largeCalls: BenchPart = async ({ rounds }) => {
  await using opened = new AsyncDisposableStack()
  const use = async (target: Target): Promise<Caller> => {
    opened.defer(() => target.close())
    const peer = await target.connect()
    opened.defer(() => peer.close())
    return { peer, toolName: (tool) => target.toolName(tool) }
  }
  const ours = await use(await openPatchbay())
  const floor = await use(await openFloor())
  const plan = { rounds, limitMs: ROUND_LIMIT_MS }
  const rates = await interleave({ ours: megabytes(ours), floor: megabytes(floor) }, plan)
  const results = await interleave({ ours: result(ours, 64), floor: result(floor, 64) }, plan)
  const taken = await interleave({ ours: argument(ours, 8), floor: argument(floor, 8) }, plan)
  return [
    {
      row: toRow(BARS.megabyte, medianRatio(rates.ours, rates.floor)),
      rounds: rates,
      roundUnit: 'count',
    },
    { row: toRow(BARS.result, median(results.ours)), rounds: results, roundUnit: 's' },
    { row: toRow(BARS.argument, median(taken.ours)), rounds: taken, roundUnit: 's' },
  ]
}

type Caller = { readonly peer: Peer; readonly toolName: (tool: string) => string }

/** Sequential results of 1 MB per second. */
function megabytes(caller: Caller): Side {
  return async () => {
    const ms = await timed(async () => {
      for (let call = 0; call < CALLS; call += 1) await large(caller, 1)
    })
    return (CALLS * 1_000) / ms
  }
}

function result(caller: Caller, size: number): Side {
  return async () => (await timed(() => large(caller, size))) / 1_000
}

async function large({ peer, toolName }: Caller, size: number): Promise<void> {
  const answer = await peer.call(toolName('large'), { megabytes: size })
  if (answer.length < size * MEGABYTE * 0.9) throw new Error('The result is too short.')
}

function argument({ peer, toolName }: Caller, size: number): Side {
  const text = ARGUMENT.repeat(Math.ceil((size * MEGABYTE) / ARGUMENT.length))
  return async () => {
    const ms = await timed(async () => {
      const answer = await peer.call(toolName('take'), { text })
      if (!answer.includes(String(text.length))) throw new Error('The argument is not whole.')
    })
    return ms / 1_000
  }
}
