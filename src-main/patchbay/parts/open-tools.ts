import { join } from 'node:path'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { systemTime } from '../../core/lifecycle/system-time'
import { ResourceWatches } from '../../core/servers/resource-watches'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import { ListingFiles } from '../../core/tools/directory/listing-files'
import type { LostPins } from '../../core/tools/pins/pin-file'
import { ToolPins } from '../../core/tools/pins/tool-pins'
import { TokenCounter } from '../../core/tools/tokens/token-counter'
import { ToolCalls } from '../../core/tools/tool-calls'
import { ToolUses } from '../../core/tools/tool-uses'
import { Tools } from '../../core/tools/tools'

/** What every server lists, what agents are shown of it, and the calls of what they are shown. */
export type OpenTools = {
  readonly tools: Tools
  readonly calls: ToolCalls
  /** Resources that agents and the person want to hear of. */
  readonly watches: ResourceWatches
  /** A server may serve now or no longer, or list something else. */
  serverChanged(installationId: string): void
  /** Writes what is to be kept. */
  close(): Promise<void>
}

type ToolParts = {
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly feed: () => StateFeed
  readonly servers: () => ServerDirectory
  /** Starts the thread that counts tokens; where it is missing none are counted. */
  readonly createTokenWorker?: ((options: WorkerOptions) => Worker) | undefined
}

/** Opens what is kept of tools below the profile folder. */
export function openTools(parts: ToolParts): OpenTools {
  const { profileDir, store, servers, feed } = parts
  const counter = new TokenCounter({
    file: join(profileDir, 'tools', 'tokens.json'),
    createWorker: parts.createTokenWorker ?? noWorker,
  })
  const uses = new ToolUses({
    file: join(profileDir, 'tools', 'uses.json'),
    time: systemTime,
    onTrouble: noticer(parts, 'tool-uses', 'Tool calls aren’t saved to disk'),
  })
  const pins = openPins(parts)
  const listingFiles = openListingFiles(parts)
  const tools = new Tools({
    store,
    servers,
    listingFiles,
    pins,
    counter,
    uses,
    onDidChange: () => feed().toolsChanged(),
    onDidRecall: (installationId) => feed().serverChanged(installationId),
    onTrouble: noticer(parts, 'tool-tokens', 'Tool tokens aren’t counted'),
  })
  const calls = new ToolCalls({ tools, servers: servers() })
  const storing = store.onDidChange(() => tools.installationsChanged())
  return {
    tools,
    calls,
    watches: new ResourceWatches(servers()),
    serverChanged: (installationId) => tools.serverChanged(installationId),
    close: async () => {
      // What is read still would be judged, and written after the end.
      await tools.loaded
      for (const one of [storing, tools, pins, listingFiles]) one[Symbol.dispose]()
      await Promise.all([counter[Symbol.asyncDispose](), uses.close()])
    },
  }
}

/** What servers listed when they last ran. */
function openListingFiles(parts: ToolParts): ListingFiles {
  const { profileDir, store, feed } = parts
  return new ListingFiles({
    folder: join(profileDir, 'tools'),
    time: systemTime,
    onLost: (installationId, message) => {
      const noticeId = `tool-listing-${installationId}`
      const name = store.find(installationId)?.name ?? 'a server'
      const title = `The tools of ${name} are unknown until it runs`
      if (message === undefined) feed().dismissNotice(noticeId)
      else feed().addNotice({ noticeId, severity: 'info', title, message })
    },
    onTrouble: noticer(parts, 'tool-listings', 'Tool lists aren’t saved to disk'),
  })
}

/** What was approved of tools. */
function openPins(parts: ToolParts): ToolPins {
  const { profileDir, store, feed } = parts
  return new ToolPins({
    folder: join(profileDir, 'tool-pins'),
    time: systemTime,
    onLost: (installationId, lost) => {
      if (lost === undefined) {
        for (const what of ['verdicts', 'history'] satisfies LostPins['what'][])
          feed().dismissNotice(`tool-${what}-${installationId}`)
        return
      }
      const { what, message } = lost
      const tools = `the tools of ${store.find(installationId)?.name ?? 'a server'}`
      feed().addNotice({
        noticeId: `tool-${what}-${installationId}`,
        severity: 'warn',
        title: what === 'verdicts' ? `Review ${tools} again` : `The history of ${tools} was reset`,
        message,
      })
    },
    onTrouble: noticer(parts, 'tool-pins-files', 'Tool approvals aren’t saved to disk'),
  })
}

/** Says what is wrong, until it is said to be well. */
function noticer(
  { feed }: ToolParts,
  noticeId: string,
  title: string,
): (message: string | undefined) => void {
  return (message) => {
    if (message === undefined) feed().dismissNotice(noticeId)
    else feed().addNotice({ noticeId, severity: 'warn', title, message })
  }
}

function noWorker(): Worker {
  throw new Error('There is no thread that counts tokens.')
}
