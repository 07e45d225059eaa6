import type { ToolRun, ToolRunProgress } from '../../../src-shared/domain/agents/tool-run'
import type { StatusKind } from '../../ui/marks/status-glyph'
import { formatCount, formatDuration, formatPercent } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

/** The outcome of a run in a word or two, with its icon. */
export type OutcomeLabel = { readonly word: string; readonly mark: StatusKind }

const FAILED: Readonly<Record<string, string>> = {
  REQUEST_CANCELLED: 'Canceled',
  REQUEST_TIMEOUT: 'Timed out',
}

/** Returns the outcome of a run, or that it is still running. */
export function outcomeLabel({ outcome }: ToolRun): OutcomeLabel {
  if (outcome === undefined) return { word: 'Running', mark: 'starting' }
  if (outcome.kind === 'refused') return { word: `Rejected, code ${outcome.code}`, mark: 'error' }
  if (outcome.kind === 'failed') {
    const word = FAILED[outcome.error.code] ?? 'Failed'
    return { word, mark: word === 'Canceled' ? 'stopped' : 'error' }
  }
  if (outcome.isError) return { word: 'Tool error', mark: 'error' }
  const hasProblems = (outcome.checked?.problems.length ?? 0) > 0
  return hasProblems
    ? { word: 'Result doesn’t match its schema', mark: 'degraded' }
    : { word: 'Result', mark: 'ready' }
}

/** Returns the outcome of a run as a sentence for screen readers: "Result, after 0.4 s." */
export function endMessage(toolRun: ToolRun): string {
  const { word: label } = outcomeLabel(toolRun)
  return toolRun.durationMs === undefined
    ? `${label}.`
    : `${label}, after ${formatDuration(toolRun.durationMs)}.`
}

const MAX_MESSAGE_LENGTH = 300

/** Returns a progress step: "Step 3 of 5", "60%", "Step 3", with the server's message. */
export function progressText({ progress, total, message = '' }: ToolRunProgress): string {
  const isCounted = total !== undefined && Number.isInteger(total) && total > 0 && total <= 1_000
  const counted = isCounted
    ? `Step ${formatCount(progress)} of ${formatCount(total)}`
    : total === undefined || total <= 0
      ? `Step ${formatCount(progress)}`
      : formatPercent(Math.round(Math.min(progress / total, 1) * 100) / 100)
  const text = visibleText(message.slice(0, MAX_MESSAGE_LENGTH))
  return text === '' ? counted : `${counted}: ${text}`
}

/** Returns a request in its JSON-RPC 2.0 form, with a placeholder id. */
export function asJsonRpc({ method, params }: ToolRun['request']): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, null, 2)
}
