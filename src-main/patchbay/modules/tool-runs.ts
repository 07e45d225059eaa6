import { ToolRunRequest } from '../../../src-shared/domain/agents/tool-run'
import { AppError } from '../../../src-shared/domain/app-error'
import { MessageLog } from '../../core/message-log/message-log'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { ServerLogs } from '../../core/servers/server-logs'
import { ToolRuns } from '../../core/tool-runs/tool-runs'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'
import type { ToolsModule } from './tools'

export type ToolRunsModule = {
  readonly toolRuns: ToolRuns
  readonly handlers: HandlersOf<'toolRun' | 'messages'>
  /** Cancels everything that is running. */
  close(): Promise<void>
}

/** Opens the message log, which isn't stored on disk. */
export function openMessageLog({ store }: AppContext, logs: ServerLogs): MessageLog {
  const messageLog = new MessageLog({ redactorOf: (id) => logs.find(id)?.redactor })
  // The message log lives as long as the app.
  store.onDidChange(() => messageLog.keepOnly((id) => store.find(id) !== undefined))
  return messageLog
}

/** Opens the user's own tool runs, which aren't stored on disk. */
export function openToolRuns(
  { store, changes }: AppContext,
  servers: ServerDirectory,
  { tools, watches }: ToolsModule,
  messageLog: MessageLog,
): ToolRunsModule {
  const toolRuns = new ToolRuns({
    ...{ store, servers, tools, watches },
    onProgress: (progress) => changes.event('toolRun.progress', progress),
    onUpdated: (resource) => changes.event('toolRun.updated', resource),
  })
  return {
    toolRuns,
    handlers: {
      'toolRun.start': (run) => toolRuns.run(run),
      'toolRun.cancel': ({ toolRunId }) => toolRuns.cancel(toolRunId),
      'toolRun.history': (query) => toolRuns.history(query),
      'toolRun.clear': ({ installationId }) => toolRuns.clear(installationId),
      'toolRun.text': (query) => toolRuns.text(query),
      'toolRun.complete': (query) => toolRuns.complete(query),
      'toolRun.watch': (query) => toolRuns.watch(query),
      'messages.read': (query) => messageLog.read(query),
      'messages.find': (query) => messageLog.find(query),
      'messages.text': (query) => messageLog.text(query),
      'messages.export': (query) => messageLog.export(query),
      'messages.clear': ({ installationId }) => messageLog.clear(installationId),
      'messages.replay': ({ installationId, seq, toolRunId }) => {
        const request = ToolRunRequest.safeParse(messageLog.requestOf(installationId, seq))
        if (!request.success)
          throw new AppError('INVALID_REQUEST', 'This message can’t be sent again.', {
            hint: 'Only tool calls, resource reads, and prompts can be sent again.',
          })
        return toolRuns.run({ installationId, toolRunId, request: request.data })
      },
    },
    close: async () => {
      messageLog[Symbol.dispose]()
      await toolRuns[Symbol.asyncDispose]()
    },
  }
}
