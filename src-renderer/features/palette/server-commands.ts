import {
  ArrowLeftRight,
  ChartLine,
  Eye,
  EyeOff,
  ScrollText,
  Server,
  Undo2,
  Wrench,
} from 'lucide-react'

import { STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { actionsOf, type ServerAction } from '../../components/server/actions'
import { goBack } from '../../components/server/go-back'
import type { ListedTool } from '../../components/tool/list/list-groups'
import { switchTools } from '../../components/tool/list/tool-decisions'
import { toolRunPlace } from '../../components/tool/tool-places'
import { isSwitchable } from '../../components/tool/tool-switch'
import { capsFor } from '../../ui/marks/shortcuts'
import { shortText } from '../../ui/text/visible-text'
import type { Command } from './find-commands'
import type { CommandPlace } from './place-commands'

type Act = Pick<ServerAction, 'label' | 'icon' | 'run' | 'shortcut'> & {
  /** It leads to a part of the server's page, or to what it was. */
  readonly isPart?: true
}

const PARTS = [
  { label: 'Log', icon: ScrollText, view: 'log' },
  { label: 'Messages', icon: ArrowLeftRight, view: 'messages' },
  { label: 'Tools', icon: Wrench, view: 'tools' },
  { label: 'Metrics', icon: ChartLine, view: 'metrics' },
] as const

function partsOf({ installationId, name, earlier: [earlier] }: ServerView): readonly Act[] {
  const parts = PARTS.map(({ label, icon, view }): Act => ({
    ...{ label, icon, isPart: true },
    run: ({ navigate }) => navigate(`/servers/${installationId}/${view}`),
  }))
  if (!earlier) return parts
  const back: Act = {
    ...{ label: `Roll back to ${shortText(earlier.version)}`, isPart: true, icon: Undo2 },
    run: ({ navigate }) => void goBack({ installationId, name, navigate }, earlier),
  }
  return [...parts, back]
}

/** `Remove…` and a name are `Remove NAME…`. */
function titled(verb: string, name: string): string {
  return verb.endsWith('…') ? `${verb.slice(0, -1)} ${name}…` : `${verb} ${name}`
}

/** All that can be done with one server; the title names it where `isAlone` does not say which one is meant. */
export function commandsOf(
  server: ServerView,
  place: CommandPlace,
  isAlone: boolean,
): readonly Command[] {
  const { installationId, status } = server
  const name = shortText(server.name)
  const { navigate, isMac } = place
  const at = { navigate, onRemove: () => place.onRemove(server) }
  const actions = actionsOf(server)
  const first = actions.filter(({ group }) => group === 'run')
  const rest = actions.filter(({ group }) => group !== 'run')
  return [...first, ...partsOf(server), ...rest].map(
    ({ label, isPart, icon, run, shortcut }: Act) => ({
      id: `${installationId} ${label}`,
      group: 'Actions',
      title: isAlone ? label : titled(label, isPart === true ? `of ${name}` : name),
      where: STATUS_WORD[status.kind],
      icon,
      ...(!isAlone && { verb: label }),
      // Where several are listed they hold on the page of one alone.
      ...(isAlone && shortcut !== undefined && { keys: capsFor(shortcut, isMac) }),
      run: () => run(at),
    }),
  )
}

/** The way to a server's page, and on to its commands. */
export function serverCommand(server: ServerView, { navigate }: CommandPlace): Command {
  const { installationId, name, status, identifier } = server
  return {
    id: `server ${installationId}`,
    group: 'Servers',
    title: shortText(name),
    where: STATUS_WORD[status.kind],
    words: identifier,
    icon: Server,
    serverId: installationId,
    run: () => navigate(`/servers/${installationId}`),
  }
}

/** Whether agents are shown a tool of a server that is listed alone; undefined for one that needs review. */
export function toolSwitch(listed: ListedTool, all: readonly ListedTool[]): Command | undefined {
  const { tool, exposure, isOn } = listed
  if (!isSwitchable(exposure)) return undefined
  const shown = shortText(tool.name)
  const said = isOn ? `${shown} no longer available to agents.` : `${shown} available to agents.`
  return {
    id: `switch ${tool.installationId} ${tool.name}`,
    group: 'Tools',
    title: isOn ? `Hide ${shown} from agents` : `Show ${shown} to agents`,
    where: isOn ? 'Available' : 'Hidden',
    words: isOn ? 'switch off disable' : 'switch on enable',
    icon: isOn ? EyeOff : Eye,
    run: () => switchTools(all, [listed], !isOn, said),
  }
}

/** The way to the page on which a tool is tried. */
export function toolCommand({ tool, server }: ListedTool, { navigate }: CommandPlace): Command {
  const { installationId, name, title = '', exposedName = '' } = tool
  return {
    id: `tool ${installationId} ${name}`,
    group: 'Tools',
    title: shortText(name),
    isCode: true,
    where: shortText(server.name),
    words: `${title} ${exposedName}`,
    icon: Wrench,
    run: () => navigate(toolRunPlace(installationId, 'tool', name)),
  }
}
