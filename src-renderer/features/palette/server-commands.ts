import type { LucideIcon } from 'lucide-react'
import {
  ArrowLeftRight,
  ChartLine,
  Eye,
  EyeOff,
  LogIn,
  LogOut,
  Play,
  Power,
  PowerOff,
  RotateCw,
  ScrollText,
  Server,
  SlidersHorizontal,
  Square,
  Trash2,
  Undo2,
  Unplug,
  Wrench,
} from 'lucide-react'

import type { ToolView } from '../../../src-shared/domain/agents/tools'
import { isActive } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { goBack } from '../../components/server/go-back'
import { canReconnect } from '../../components/server/reconnect-button'
import { serverActions } from '../../components/server/server-actions'
import { askSignIn, signOut } from '../../components/server/sign-in-actions'
import { switchServer } from '../../components/server/switch-server'
import { isChosen, withTools } from '../../components/tool/tool-choices'
import { decideChoice } from '../../components/tool/tool-decisions'
import { toolRunPlace } from '../../components/tool-run/tool-run-place'
import { capsFor } from '../../ui/marks/shortcuts'
import { offersSignIn, STATUS_WORD } from '../../ui/text/status-messages'
import { stopWord } from '../../ui/text/suggested-action'
import { shortText } from '../../ui/text/visible-text'
import type { Command } from './command'
import type { CommandPlace } from './place-commands'

type Act = {
  readonly verb: string
  /** It leads to a part of the server's page, or to what it was. */
  readonly isPart?: true
  readonly icon: LucideIcon
  readonly run: () => void
  readonly keys?: readonly string[]
}

function runActs({ installationId, status }: ServerView, isMac: boolean): readonly Act[] {
  const stop = stopWord(status)
  const start = status.kind === 'backingOff' ? 'Try now' : 'Start'
  const restart: Act = {
    verb: 'Restart',
    icon: RotateCw,
    run: () => void serverActions.restart(installationId),
    keys: capsFor('restart', isMac),
  }
  const startAct: Act = {
    verb: start,
    icon: Play,
    run: () => void serverActions.start(installationId),
    keys: capsFor('run', isMac),
  }
  const stopAct: readonly Act[] =
    stop === null
      ? []
      : [{ verb: stop, icon: Square, run: () => void serverActions.stop(installationId) }]
  return [isActive(status) ? restart : startAct, ...stopAct]
}

function otherActs(
  server: ServerView,
  { navigate, onRemove }: Pick<ServerPlace, 'navigate' | 'onRemove'>,
): readonly Act[] {
  const { installationId, name, enabled, signedIn } = server
  const [earlier] = server.earlier
  const at = `/servers/${installationId}`
  return [
    { verb: 'Log', isPart: true, icon: ScrollText, run: () => navigate(`${at}/log`) },
    { verb: 'Messages', isPart: true, icon: ArrowLeftRight, run: () => navigate(`${at}/traffic`) },
    { verb: 'Tools', isPart: true, icon: Wrench, run: () => navigate(`${at}/tools`) },
    { verb: 'Metrics', isPart: true, icon: ChartLine, run: () => navigate(`${at}/figures`) },
    { verb: 'Configure', icon: SlidersHorizontal, run: () => navigate(`${at}/configure`) },
    ...(canReconnect(server)
      ? [
          {
            verb: 'Reconnect',
            icon: Unplug,
            run: () => void serverActions.reconnect(installationId),
          },
        ]
      : []),
    ...(signedIn !== true && offersSignIn(server)
      ? [{ verb: 'Sign in', icon: LogIn, run: () => askSignIn(installationId) }]
      : []),
    ...(signedIn === true
      ? [
          { verb: 'Sign in again', icon: LogIn, run: () => askSignIn(installationId) },
          { verb: 'Sign out', icon: LogOut, run: () => void signOut(installationId) },
        ]
      : []),
    ...(earlier
      ? [
          {
            verb: `Roll back to ${shortText(earlier.version)}`,
            isPart: true as const,
            icon: Undo2,
            run: () => void goBack({ installationId, name, navigate }, earlier),
          },
        ]
      : []),
    {
      verb: enabled ? 'Turn off' : 'Turn on',
      icon: enabled ? PowerOff : Power,
      run: () => void switchServer(server, !enabled),
    },
    { verb: 'Remove…', icon: Trash2, run: () => onRemove(server) },
  ]
}

/** `Remove…` and a name are `Remove NAME…`. */
function titled(verb: string, name: string): string {
  return verb.endsWith('…') ? `${verb.slice(0, -1)} ${name}…` : `${verb} ${name}`
}

export type ServerPlace = CommandPlace & {
  /** Asks before it is removed. */
  readonly onRemove: (server: ServerView) => void
}

/** All that can be done with one server; the title names it where `isAlone` does not say which one is meant. */
export function commandsOf(
  server: ServerView,
  place: ServerPlace,
  isAlone: boolean,
): readonly Command[] {
  const { installationId, status } = server
  const name = shortText(server.name)
  return [...runActs(server, place.isMac), ...otherActs(server, place)].map(
    ({ verb, isPart, icon, run, keys }) => ({
      id: `${installationId} ${verb}`,
      group: 'Actions',
      title: isAlone ? verb : titled(verb, isPart === true ? `of ${name}` : name),
      where: STATUS_WORD[status.kind],
      icon,
      ...(!isAlone && { verb }),
      // Where several are listed they hold on the page of one alone.
      ...(isAlone && keys && { keys }),
      run,
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

/** Whether agents are shown a tool of a server that is listed alone; undefined for one that is held back. */
export function toolSwitch(
  { installationId, name, exposure }: ToolView,
  { choice, names }: { readonly choice: ToolChoice; readonly names: readonly string[] },
): Command | undefined {
  if (exposure === 'held' || exposure === 'refused' || exposure === 'quarantined') return undefined
  const isOn = isChosen(choice, name)
  const shown = shortText(name)
  return {
    id: `switch ${installationId} ${name}`,
    group: 'Tools',
    title: isOn ? `Hide ${shown} from agents` : `Show ${shown} to agents`,
    where: isOn ? 'Available' : 'Hidden',
    words: isOn ? 'switch off disable' : 'switch on enable',
    icon: isOn ? EyeOff : Eye,
    run: () => {
      const after = withTools(choice, names, [name], !isOn)
      const said = isOn ? `${shown} hidden from agents.` : `${shown} available to agents.`
      void decideChoice({ installationId, choice }, after, said)
    },
  }
}

/** The way to the page on which a tool is tried. */
export function toolCommand(
  { installationId, name, title, exposedName }: ToolView,
  serverName: string,
  { navigate }: CommandPlace,
): Command {
  return {
    id: `tool ${installationId} ${name}`,
    group: 'Tools',
    title: shortText(name),
    isCode: true,
    where: shortText(serverName),
    words: `${title ?? ''} ${exposedName ?? ''}`,
    icon: Wrench,
    run: () => navigate(toolRunPlace(installationId, 'tool', name)),
  }
}
