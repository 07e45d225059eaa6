import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { ResourceWatches } from '../../core/servers/resource-watches'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { withContext } from '../../core/tools/context/agent-context'
import { ListingFiles } from '../../core/tools/directory/listing-files'
import type { UnusablePins } from '../../core/tools/pins/pin-file'
import { ToolPins } from '../../core/tools/pins/tool-pins'
import { TokenCounter } from '../../core/tools/tokens/token-counter'
import { ToolUses } from '../../core/tools/tool-uses'
import { Tools } from '../../core/tools/tools'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext, Threads } from './context'

export type ToolsModule = {
  readonly tools: Tools
  /** Resources that agents and the user watch. */
  readonly watches: ResourceWatches
  /** Resolves to the estimated tokens of each text. */
  readonly countTokens: (texts: readonly string[]) => Promise<readonly number[]>
  readonly snapshot: () => ToolsState
  readonly handlers: HandlersOf<'tools'>
  /** Writes pending data. */
  close(): Promise<void>
}

/** Opens the tools' data below the profile folder. */
export function openTools(
  ctx: AppContext,
  servers: ServerDirectory,
  createWorker: Threads['createTokenWorker'] = noWorker,
): ToolsModule {
  const { profileDir, store, changes, time } = ctx
  const file = join(profileDir, 'tools', 'tokens.json')
  const counter = new TokenCounter({ file, createWorker })
  const uses = new ToolUses({
    file: join(profileDir, 'tools', 'uses.json'),
    time,
    onProblem: warner(ctx, 'tool-uses', 'Tool calls aren’t saved to disk'),
  })
  const pins = openPins(ctx)
  const listingFiles = openListingFiles(ctx)
  const tools = new Tools({ store, servers, listingFiles, pins, counter, uses })
  tools.onDidChange(() => changes.topic('tools'))
  tools.onDidRecall((installationId) => changes.server(installationId))
  const following = [
    servers.onDidChange((installationId) => tools.serverChanged(installationId)),
    store.onDidChange(() => tools.installationsChanged()),
  ]
  return {
    tools,
    watches: new ResourceWatches(servers),
    countTokens: (texts) => countTokens(counter, texts),
    snapshot: () => tools.state,
    handlers: {
      'tools.list': ({ installationId }) => tools.list(installationId),
      'tools.read': ({ installationId, name }) => tools.read(installationId, name),
      'tools.choose': ({ installationId, choice }) =>
        tools.set(installationId, { toolChoice: choice }),
      'tools.setChanges': ({ installationId, changes: toolChanges }) =>
        tools.set(installationId, { toolChanges }),
      'tools.setStarts': ({ installationId, starts }) => tools.set(installationId, { starts }),
      'tools.review': ({ installationId, decision, tools: seen }) => ({
        stale: tools.review(installationId, decision, seen),
      }),
      'tools.history': ({ installationId }) => tools.history(installationId),
      'tools.suggest': ({ limit }) => tools.suggest(limit),
      'tools.context': () => tools.context(),
      'tools.foldContext': ({ text }) => withContext(text, tools.context().text),
    },
    close: async () => {
      // A listing that is still being read would be reviewed and written after the end.
      await tools.loaded
      for (const one of [...following, tools, pins, listingFiles, uses]) one[Symbol.dispose]()
      await counter[Symbol.asyncDispose]()
    },
  }
}

async function countTokens(
  counter: TokenCounter,
  texts: readonly string[],
): Promise<readonly number[]> {
  const keyed = texts.map((text) => ({
    text,
    key: createHash('sha256').update(text).digest('hex'),
  }))
  await counter.count(new Map(keyed.map(({ key, text }) => [key, () => text])))
  return keyed.map(({ key, text }) => counter.of(key) ?? Math.ceil(text.length / 4))
}

function openListingFiles(ctx: AppContext): ListingFiles {
  const { profileDir, store, notices, time } = ctx
  return new ListingFiles({
    folder: join(profileDir, 'tools'),
    time,
    onLost: (installationId, message) => {
      const noticeId = `tool-listing-${installationId}`
      const name = store.find(installationId)?.name ?? 'a server'
      const title = `The tools of ${name} are unknown until it runs`
      if (message === undefined) notices.dismiss(noticeId)
      else notices.add({ noticeId, severity: 'info', title, message })
    },
    onProblem: warner(ctx, 'tool-listings', 'Tool lists aren’t saved to disk'),
  })
}

function openPins(ctx: AppContext): ToolPins {
  const { profileDir, store, notices, time } = ctx
  return new ToolPins({
    folder: join(profileDir, 'tool-pins'),
    time,
    onLost: (installationId, lost) => {
      if (lost === undefined) {
        for (const what of ['verdicts', 'history'] satisfies UnusablePins['what'][])
          notices.dismiss(`tool-${what}-${installationId}`)
        return
      }
      const { what, message } = lost
      const tools = `the tools of ${store.find(installationId)?.name ?? 'a server'}`
      notices.add({
        noticeId: `tool-${what}-${installationId}`,
        severity: 'warn',
        title: what === 'verdicts' ? `Review ${tools} again` : `The history of ${tools} was reset`,
        message,
      })
    },
    onProblem: warner(ctx, 'tool-pins-files', 'Tool approvals aren’t saved to disk'),
  })
}

function warner(
  { notices }: AppContext,
  noticeId: string,
  title: string,
): (message: string | undefined) => void {
  return (message) => notices.warn(noticeId, title, message)
}

function noWorker(): Worker {
  throw new Error('There is no thread that counts tokens.')
}
