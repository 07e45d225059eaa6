import { useMemo } from 'react'

import type { ServerTools, ToolView } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { useApp, useServers } from '../../stores/app-store'
import { choiceOf, type KnownTools, useTools, useToolsState } from '../../stores/tools-store'
import type { Command } from './command'
import { CommandFinder } from './find-commands'
import { placeCommands } from './place-commands'
import {
  commandsOf,
  serverCommand,
  type ServerPlace,
  toolCommand,
  toolSwitch,
} from './server-commands'

/** Finds among all commands, or those of one server. */
export function useCommands(place: ServerPlace, only: ServerView | undefined): CommandFinder {
  const servers = useServers()
  const settings = useApp(({ app }) => app?.settings)
  const { tools, pending } = useTools()
  const choices = useToolsState()?.servers
  return useMemo(() => {
    const names = new Map(servers.map(({ installationId, name }) => [installationId, name]))
    const toolsOf = (tools ?? [])
      .filter(({ installationId }) => only === undefined || installationId === only.installationId)
      .map((tool) => toolCommand(tool, names.get(tool.installationId) ?? '', place))
    if (only)
      return new CommandFinder([
        ...commandsOf(only, place, true),
        ...toolsOf,
        ...switchesOf(only, { tools: tools ?? [], choices, pending }),
      ])
    return new CommandFinder([
      ...general(place, servers, settings),
      ...servers.flatMap((server) => commandsOf(server, place, false)),
      ...servers.map((server) => serverCommand(server, place)),
      ...toolsOf,
    ])
  }, [servers, settings, tools, choices, pending, only, place])
}

/** For each tool of a server: whether agents are shown it. */
function switchesOf(
  { installationId }: ServerView,
  {
    tools,
    choices = [],
    pending,
  }: {
    readonly tools: readonly ToolView[]
    readonly choices: readonly ServerTools[] | undefined
    readonly pending: KnownTools['pending']
  },
): readonly Command[] {
  const server = choices.find((one) => one.installationId === installationId)
  if (!server) return []
  const own = tools.filter((tool) => tool.installationId === installationId)
  const names = own.map(({ name }) => name)
  const choice = choiceOf(server, pending)
  return own.flatMap((tool) => toolSwitch(tool, { choice, names }) ?? [])
}

function general(
  place: ServerPlace,
  servers: readonly ServerView[],
  settings: Settings | undefined,
): ReturnType<typeof placeCommands> {
  return settings ? placeCommands(place, { servers, settings }) : []
}
