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
/** Until the engines have compiled what is used often: a gateway runs for days. */
const WARM_UP_CALLS = 30_000

/** The protocol version without sessions; the floor has sessions alone. */
const STATELESS = '2026-07-28'
const FLOOR = { unit: 'x', op: '>=' } as const
const BARS = {
  sequential: { metric: 'small-calls-sequential-vs-floor', ...FLOOR, bar: 0.8 },
  stateless: { metric: 'small-calls-sequential-vs-floor-stateless', ...FLOOR, bar: 0.75 },
  instant: { metric: 'small-calls-x32-vs-instant', ...FLOOR, bar: 0.9 },
  hub: { metric: 'small-calls-x32-vs-mcp-hub', ...FLOOR, bar: 1.25 },
} as const satisfies Record<string, Bar>

/**
 * Calls of 100 bytes in a second: one after the other against the floor, 32 at a time against an endpoint that answers
 * with a constant (the client is most of each call) and against mcp-hub, with the bare agent, since the SDK's client
 * does not speak its dialect.
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

/** What calls tools and can be ended. */
type Agent = {
  readonly call: (name: string, args: Record<string, never>) => Promise<unknown>
  readonly close: () => void
}
type Caller = { readonly agent: Agent; readonly tool: string }

function parallel(caller: Caller): Side {
  return calls(caller, PARALLEL_CALLS, PARALLEL)
}

/** How many calls of the tool are answered in a second, `parallel` of them at a time. */
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

/** How many times as many calls as the other takes ours takes. */
function versus<Other extends string>(
  bar: Bar,
  seen: Readonly<Record<'ours' | Other, number[]>>,
  other: Other,
): Measurement {
  const rounds = { ours: seen.ours, [other]: seen[other] }
  return { row: toRow(bar, medianRatio(seen.ours, seen[other])), rounds, roundUnit: 'count' }
}
