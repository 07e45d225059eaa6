import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { interleave, type Side } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { openPatchbay } from './patchbay-target'
import { SdkAgent } from './sdk-agent'
import { openFloor, openHub, openInstant, type Target } from './target'

const ROUND_LIMIT_MS = 60_000
const SEQUENTIAL_CALLS = 1_500
const PARALLEL_CALLS = 4_000
const PARALLEL = 32
/** Until the engines have compiled the hot code: a gateway runs for days. */
const WARM_UP_CALLS = 30_000

/** The protocol version without sessions; the floor only has sessions. */
const STATELESS = '2026-07-28'
const FLOOR = { unit: 'x', op: '>=' } as const
const BARS = {
  sequential: { metric: 'small-calls-sequential-vs-floor', ...FLOOR, bar: 0.8 },
  stateless: { metric: 'small-calls-sequential-vs-floor-stateless', ...FLOOR, bar: 0.75 },
  instant: { metric: 'small-calls-x32-vs-instant', ...FLOOR, bar: 0.9 },
  hub: { metric: 'small-calls-x32-vs-mcp-hub', ...FLOOR, bar: 1.25 },
} as const satisfies Record<string, Bar>

/**
 * Calls of 100 bytes per second: sequential against the floor, 32 in parallel against an endpoint that answers a constant (the client is
 * most of each call) and against mcp-hub, with the plain agent, because the SDK's client doesn't support its transport.
 */
export const smallCalls: BenchPart = async ({ rounds }) => {
  await using opened = new AsyncDisposableStack()
  const warm = async (target: Target, agent: Agent): Promise<Caller> => {
    opened.defer(() => agent.close())
    const caller = { agent, tool: target.toolName('small') }
    await calls(caller, WARM_UP_CALLS, PARALLEL)()
    return caller
  }
  const keep = <T extends Target>(target: T): T => {
    opened.defer(() => target.close())
    return target
  }
  const patchbay = keep(await openPatchbay())
  const bareFloor = keep(await openFloor())
  const ours = await warm(patchbay, await SdkAgent.connect(patchbay))
  const floor = await warm(bareFloor, await SdkAgent.connect(bareFloor))
  const stateless = await warm(patchbay, await SdkAgent.connect(patchbay, STATELESS))
  const plan = { rounds, limitMs: ROUND_LIMIT_MS }
  const one = (caller: Caller): Record<'ours' | 'floor', Side> => {
    return { ours: calls(caller, SEQUENTIAL_CALLS, 1), floor: calls(floor, SEQUENTIAL_CALLS, 1) }
  }
  const versusFloor = [
    versus(BARS.sequential, await interleave(one(ours), plan), 'floor'),
    versus(BARS.stateless, await interleave(one(stateless), plan), 'floor'),
  ]
  const bareInstant = keep(await openInstant())
  const instant = await warm(bareInstant, await SdkAgent.connect(bareInstant))
  const ideal = await interleave({ ours: parallel(ours), instant: parallel(instant) }, plan)
  versusFloor.push(versus(BARS.instant, ideal, 'instant'))
  const hub = await openHub()
  if (hub.kind === 'missing') {
    process.stderr.write(`${BARS.hub.metric} is skipped: ${hub.reason}.\n`)
    return versusFloor
  }
  const bare = await warm(patchbay, await patchbay.connect())
  const other = await warm(keep(hub), await hub.connect())
  const seen = await interleave({ ours: parallel(bare), hub: parallel(other) }, plan)
  return [...versusFloor, versus(BARS.hub, seen, 'hub')]
}

/** An agent that calls tools and can be closed. */
type Agent = {
  readonly call: (name: string, args: Record<string, never>) => Promise<unknown>
  readonly close: () => void
}
type Caller = { readonly agent: Agent; readonly tool: string }

function parallel(caller: Caller): Side {
  return calls(caller, PARALLEL_CALLS, PARALLEL)
}

/** Tool calls per second, with `atATime` in parallel. */
function calls({ agent, tool }: Caller, count: number, atATime: number): Side {
  return async () => {
    const begin = performance.now()
    let left = count
    const callOn = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await agent.call(tool, {})
      }
    }
    await Promise.all(Array.from({ length: atATime }, callOn))
    return (count * 1_000) / (performance.now() - begin)
  }
}

/** Ratio of our calls to the other's. */
function versus<Other extends string>(
  bar: Bar,
  seen: Readonly<Record<'ours' | Other, number[]>>,
  other: Other,
): Measurement {
  const rounds = { ours: seen.ours, [other]: seen[other] }
  return { row: toRow(bar, medianRatio(seen.ours, seen[other])), rounds, roundUnit: 'count' }
}
