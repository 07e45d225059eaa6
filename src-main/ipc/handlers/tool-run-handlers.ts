import { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import type { MessageLog } from '../../core/message-log/message-log'
import type { ToolRuns } from '../../core/tool-runs/tool-runs'
import type { Handlers } from '../answer'

export type ToolRunParts = { readonly toolRuns: ToolRuns; readonly messageLog: MessageLog }

/** Answers what a person tries of servers, and what was said between them and Patchbay. */
export function toolRunHandlers({
  toolRuns,
  messageLog,
}: ToolRunParts): Pick<
  Handlers,
  Extract<keyof Handlers, `toolRun.${string}` | `messages.${string}`>
> {
  return {
    'toolRun.start': (asked) => toolRuns.run(asked),
    'toolRun.cancel': ({ toolRunId }) => toolRuns.cancel(toolRunId),
    'toolRun.history': (asked) => toolRuns.history(asked),
    'toolRun.clear': ({ installationId }) => toolRuns.clear(installationId),
    'toolRun.text': (asked) => toolRuns.text(asked),
    'toolRun.complete': (asked) => toolRuns.complete(asked),
    'toolRun.watch': (asked) => toolRuns.watch(asked),
    'messages.read': (asked) => messageLog.read(asked),
    'messages.find': (asked) => messageLog.find(asked),
    'messages.text': (asked) => messageLog.text(asked),
    'messages.export': (asked) => messageLog.export(asked),
    'messages.clear': ({ installationId }) => messageLog.clear(installationId),
    'messages.replay': ({ installationId, seq, toolRunId }) => {
      const request = ToolRunRequest.safeParse(messageLog.requestOf(installationId, seq))
      if (!request.success)
        throw new AppError('INVALID_REQUEST', 'This message can’t be sent again.', {
          hint: 'Only tool calls, resource reads, and prompts can be sent again.',
        })
      return toolRuns.run({ installationId, toolRunId, request: request.data })
    },
  }
}
