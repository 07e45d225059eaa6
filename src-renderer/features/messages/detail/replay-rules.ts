import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { ToolRunRequest } from '../../../../src-shared/domain/agents/tool-run'

/** Whether a user may send this message once more; see `traffic.replay`. */
export function canReplay({ kind, direction, method }: MessageEntry): boolean {
  const isRequest = kind === 'request' && direction === 'sent'
  return isRequest && ToolRunRequest.shape.method.safeParse(method).success
}

/**
 * What has to be said before a tool is called once more; undefined where nothing has to: it says that it changes
 * nothing, or destroys nothing (MCP, ToolAnnotations). `tool` is missing where the server does not list it.
 */
export function replayProblem(
  { method, target = 'the tool' }: Pick<MessageEntry, 'method' | 'target'>,
  tool: Tool | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  if (tool === undefined)
    return `${target} is not in the server’s current list, so its effects are unknown.`
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
  if (readOnlyHint === true || destructiveHint === false) return undefined
  return destructiveHint === true
    ? `${target} is marked destructive: it may delete or overwrite data.`
    : `${target} is not marked as safe: it may delete or overwrite data.`
}
