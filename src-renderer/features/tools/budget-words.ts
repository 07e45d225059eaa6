import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { AGENT_LIMITS, type AgentLimit } from '../../tool-parts/agent-limits'
import { toolsWords } from '../../tool-parts/tool-words'
import { formatCount } from '../../ui/text/elapsed'

/** The answer of the page: "64 tools for agents, 3 held back". */
export function headlineWords({ exposed, held }: Pick<ToolsState, 'exposed' | 'held'>): string {
  const shown = exposed === 0 ? 'No tools for agents' : `${toolsWords(exposed)} for agents`
  return held === 0 ? shown : `${shown}, ${formatCount(held)} held back`
}

/** What they take, and what there is room for. */
export function proofWords(
  state: Pick<ToolsState, 'exposed' | 'cap' | 'overCap' | 'tokens'>,
): string {
  const { exposed, cap, overCap, tokens } = state
  const takes =
    tokens === undefined
      ? 'Their tokens are being counted.'
      : `≈ ${formatCount(tokens)} tokens of every conversation.`
  const room =
    overCap > 0
      ? `The cap of ${formatCount(cap)} leaves ${formatCount(overCap)} more out.`
      : `Room for ${formatCount(Math.max(0, cap - exposed))} more below the cap of ${formatCount(cap)}.`
  return exposed === 0 && overCap === 0 ? room : `${takes} ${room}`
}

/** The limits that so many tools are above. */
export function limitsBelow(exposed: number): readonly AgentLimit[] {
  return AGENT_LIMITS.filter(({ limit }) => exposed > limit)
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** Which agents take fewer: "Antigravity takes 50 and Cursor 80. They leave out the rest." */
export function limitSentence(below: readonly AgentLimit[]): string {
  const [first, ...others] = below
  if (!first) return ''
  const parts = [
    `${first.agent} takes ${first.limit}`,
    ...others.map(({ agent, limit }) => `${agent} ${limit}`),
  ]
  return `${LIST.format(parts)}. What is beyond may be left out or refused.`
}

/** The number at the right end of the meter. */
export function meterEnd({ exposed, cap }: Pick<ToolsState, 'exposed' | 'cap'>): number {
  const last = AGENT_LIMITS.at(-1)?.limit ?? 0
  return Math.max(last, exposed, cap <= 2 * Math.max(last, exposed) ? cap : 0)
}
