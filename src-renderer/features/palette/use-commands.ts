import { useMemo } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useListedTools } from '../../components/tool/list/use-tool-listing'
import { useApp, useServers } from '../../stores/app-store'
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
  const { all } = useListedTools(only?.installationId)
  return useMemo(() => {
    const tools = all.map((listed) => toolCommand(listed, place))
    if (only)
      return new CommandFinder([
        ...commandsOf(only, place, true),
        ...tools,
        ...all.flatMap((listed) => toolSwitch(listed, all) ?? []),
      ])
    return new CommandFinder([
      ...(settings ? placeCommands(place, { servers, settings }) : []),
      ...servers.flatMap((server) => commandsOf(server, place, false)),
      ...servers.map((server) => serverCommand(server, place)),
      ...tools,
    ])
  }, [servers, settings, all, only, place])
}
