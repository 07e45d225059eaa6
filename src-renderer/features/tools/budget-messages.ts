import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { toolsWords } from '../../components/tool/tool-messages'
import { counted, formatCount } from '../../ui/text/format'

/** The answer of the page: "64 tools for agents, 3 need review". */
export function headlineWords({ exposed, held }: Pick<ToolsState, 'exposed' | 'held'>): string {
  const shown = exposed === 0 ? 'No tools for agents' : `${toolsWords(exposed)} for agents`
  return held === 0 ? shown : `${shown}, ${counted(held, 'needs', 'need')} review`
}

/** How much of a model's context the tools take. */
export function tokenWords({ exposed, tokens }: Pick<ToolsState, 'exposed' | 'tokens'>): string {
  if (exposed === 0) return 'Tools of running servers appear here.'
  return tokens === undefined
    ? 'Counting tokens…'
    : `≈ ${formatCount(tokens)} tokens in every conversation.`
}
