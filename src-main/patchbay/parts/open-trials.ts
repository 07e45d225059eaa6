import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { MessageLog, type MessageLogOptions } from '../../core/message-log/message-log'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import { ToolRuns } from '../../core/tool-runs/tool-runs'
import type { OpenTools } from './open-tools'

/** What a person tries of servers, and the messages of their sessions. */
export type OpenToolRuns = {
  readonly toolRuns: ToolRuns
  readonly messageLog: MessageLog
  /** Cancels what is on its way. */
  close(): Promise<void>
}

/** Opens both; nothing of them is kept on the disk. */
export function openToolRuns(parts: {
  readonly store: ProfileDocument
  readonly offered: Pick<OpenTools, 'tools' | 'watches'>
  readonly servers: Pick<ServerDirectory, 'find' | 'read'>
  readonly feed: Pick<StateFeed, 'toolRunProgressed' | 'resourceUpdated'>
}): OpenToolRuns {
  const { store, offered, servers, feed } = parts
  const { tools, watches } = offered
  const redactorOf: MessageLogOptions['redactorOf'] = (id) => servers.find(id)?.log.redactor
  const messageLog = new MessageLog({ redactorOf })
  const following = store.onDidChange(() =>
    messageLog.keepOnly((id) => store.find(id) !== undefined),
  )
  const toolRuns = new ToolRuns({
    ...{ store, servers, tools, watches },
    redactorOf,
    onProgress: (progress) => feed.toolRunProgressed(progress),
    onUpdated: (resource) => feed.resourceUpdated(resource),
  })
  return {
    toolRuns,
    messageLog,
    close: async () => {
      following[Symbol.dispose]()
      messageLog[Symbol.dispose]()
      await toolRuns[Symbol.asyncDispose]()
    },
  }
}
