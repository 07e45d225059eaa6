import { median } from '../../measure/median'
import { type Row, toRow } from '../../measure/row'
import type { CoreCensus, CoreMemory } from './core-protocol'
import type { Ledger } from './ledger'
import type { SoakedAgent } from './soaked-agent'

/** Most memory growth from warm to the end. The engine warms up for a minute: it compiles, and keeps freed pages. */
const MAX_GROWTH = { early: 1.5, late: 1.25 }
const EARLY_MS = 60_000

/** The result of a gateway soak. */
export type SoakResult = {
  readonly servers: number
  readonly ledger: Ledger
  readonly agents: readonly SoakedAgent[]
  readonly faults: number
  /** Servers that didn't return. */
  readonly down: number
  readonly samples: number
  readonly wrongChildren: readonly string[]
  readonly ranTwice: readonly string[]
  readonly untold: number
  readonly memory: readonly CoreMemory[]
  /** Before any agent; after all were removed; after the core was closed. */
  readonly before: CoreCensus
  readonly removed: CoreCensus
  readonly closed: CoreCensus
  readonly handlesLeft: readonly string[]
  readonly childrenLeft: number
  readonly isEnded: boolean
}

/** Assesses a soak that took `ms`. */
export function assessGateway(result: SoakResult, ms: number): Row[] {
  const most = ms < EARLY_MS ? MAX_GROWTH.early : MAX_GROWTH.late
  return [
    ...assessCalls(result),
    ...assessServers(result),
    ratio('rss-end-vs-warm', most, growth(result.memory, 'rssMb')),
    ratio('heap-end-vs-warm', most, growth(result.memory, 'heapMb')),
    ...assessEnd(result),
  ]
}

function assessCalls({ ledger, agents, servers, ranTwice, untold }: SoakResult): Row[] {
  const { wrong, answered, cancels, reports } = ledger
  const sum = (of: (agent: SoakedAgent) => number): number =>
    agents.reduce((total, agent) => total + of(agent), 0)
  return [
    // At the end each agent calls each server once.
    atLeast('answers', servers * agents.length, answered),
    atLeast('cancels', 1, cancels.length),
    atLeast('reports', 1, reports),
    atLeast(
      'agents-vanished',
      1,
      sum((agent) => agent.vanishings),
    ),
    atLeast(
      'agents-back',
      agents.length,
      sum((agent) => agent.connections - 1),
    ),
    none(
      'connections-refused',
      sum((agent) => agent.refusals.length),
    ),
    none('answers-lost', wrong.lost.length),
    none('answers-crossed', wrong.crossed.length),
    none(
      'answers-extra',
      sum((agent) => agent.extraAnswers),
    ),
    none('calls-run-twice', ranTwice.length),
    none('errors-unexplained', wrong.unexplained.length),
    none('progress-wrong', wrong.progress.length),
    none('cancels-answered', wrong.cancelAnswered.length),
    none('cancels-untold', untold),
  ]
}

function assessServers(result: SoakResult): Row[] {
  return [
    atLeast('servers-failed', 3, result.faults),
    atLeast('calls-failed-with-reason', 1, result.ledger.explained),
    none('servers-not-back', result.down),
    atLeast('looks-at-children', 5, result.samples),
    none('children-wrong', result.wrongChildren.length),
  ]
}

function assessEnd(result: SoakResult): Row[] {
  const { before, removed, closed } = result
  return [
    none('agent-sessions-left', removed.agentSessions - before.agentSessions),
    none('held-calls-left', removed.heldCalls - before.heldCalls),
    none('requests-left', removed.inFlight),
    none('server-sessions-left', closed.serverSessions),
    none('handles-left', result.handlesLeft.length),
    none('children-left', result.childrenLeft),
    none('rejections-unhandled', closed.rejections.length),
    atLeast('core-ended-by-itself', 1, Number(result.isEnded)),
  ]
}

/** Ratio of the last fifth's memory to the warm state, after a third of the time. */
export function growth(memory: readonly CoreMemory[], kind: keyof CoreMemory): number {
  const values = memory.map((one) => one[kind])
  const few = Math.max(1, Math.floor(values.length / 5))
  const warm = Math.floor(values.length / 3)
  return median(values.slice(-few)) / median(values.slice(warm, warm + few))
}

function none(metric: string, value: number): Row {
  return toRow({ metric, unit: 'count', op: '<=', bar: 0 }, value)
}

function atLeast(metric: string, bar: number, value: number): Row {
  return toRow({ metric, unit: 'count', op: '>=', bar }, value)
}

function ratio(metric: string, bar: number, value: number): Row {
  return toRow({ metric, unit: 'x', op: '<=', bar }, value)
}
