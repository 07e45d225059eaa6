import { withContext } from '../../core/tools/context/fold-context'
import type { Tools } from '../../core/tools/tools'
import type { Handlers } from '../answer'

export type ToolParts = { readonly tools: Tools }

/** Answers what agents are shown of each server and what a person decides about it. */
export function toolHandlers({
  tools,
}: ToolParts): Pick<Handlers, Extract<keyof Handlers, `tools.${string}`>> {
  return {
    'tools.list': ({ installationId }) => tools.list(installationId),
    'tools.read': ({ installationId, name }) => tools.read(installationId, name),
    'tools.choose': ({ installationId, choice }) => tools.choose(installationId, choice),
    'tools.setChanges': ({ installationId, changes }) => tools.setChanges(installationId, changes),
    'tools.setStarts': ({ installationId, starts }) => tools.setStarts(installationId, starts),
    'tools.judge': ({ installationId, verdict, tools: seen }) => ({
      stale: tools.review(installationId, verdict, seen),
    }),
    'tools.history': ({ installationId }) => tools.history(installationId),
    'tools.suggest': ({ limit }) => tools.suggest(limit),
    'tools.context': () => tools.context(),
    'tools.foldContext': ({ text }) => withContext(text, tools.context().text),
  }
}
