import './palette.css'

import { Command as Cmdk } from 'cmdk'
import {
  ArrowLeftRight,
  ChartLine,
  Eye,
  EyeOff,
  Library,
  ScrollText,
  Search,
  Server,
  Undo2,
  Wrench,
} from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type JSX, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import { STATUS_WORD } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { actionsOf, rollBack, type ServerAction } from '../../components/server/actions'
import { RemoveDialog } from '../../components/server/remove-dialog'
import {
  type ListedTool,
  switchTools,
  useListedTools,
} from '../../components/tool/list/list-groups'
import { toolRunPath } from '../../components/tool/tool-paths'
import { isSwitchable } from '../../components/tool/tool-switch'
import { useRequest } from '../../ipc/use-request'
import { useApp, useServer, useServers } from '../../stores/app-store'
import { recordCommand, showOverlay, usePalette } from '../../stores/palette-store'
import { useReturn } from '../../ui/focus/restore-focus'
import { KeyCap } from '../../ui/marks/key-cap'
import { capsFor, isMacKeyboard } from '../../ui/marks/shortcuts'
import { counted } from '../../ui/text/format'
import { shortText } from '../../ui/text/untrusted-text'
import { type Command, CommandFinder } from './find-commands'
import { type CommandContext, globalCommands } from './global-commands'

function useCommands(context: CommandContext, only: ServerView | undefined): CommandFinder {
  const servers = useServers()
  const settings = useApp(({ app }) => app?.settings)
  const { all } = useListedTools(only?.installationId)
  return useMemo(() => {
    const tools = all.map((listed) => toolCommand(listed, context))
    if (only)
      return new CommandFinder([
        ...commandsOf(only, context, true),
        ...tools,
        ...all.flatMap((listed) => toolSwitch(listed, all) ?? []),
      ])
    return new CommandFinder([
      ...(settings ? globalCommands(context, { servers, settings }) : []),
      ...servers.flatMap((server) => commandsOf(server, context, false)),
      ...servers.map((server) => serverCommand(server, context)),
      ...tools,
    ])
  }, [servers, settings, all, only, context])
}

function List(props: {
  readonly place: CommandContext
  readonly onChoose: (command: Command) => void
}): JSX.Element {
  const { place: context, onChoose } = props
  const [query, setQuery] = useState('')
  /** The server whose commands are shown; empty for all. */
  const [serverId, setServerId] = useState('')
  const server = useServer(serverId)
  const show = (id: string): void => {
    setServerId(id)
    setQuery('')
  }
  const [selected, setSelected] = useState('')
  const [recent] = useState(() => usePalette.getState().recent)
  const text = query.trim()
  const finder = useCommands(context, server)
  const { hits, isLooking } = useCatalogHits(server ? '' : text, context.navigate)
  const groups = useMemo(
    () => (text === '' ? finder.offer(recent) : finder.find(text, hits)),
    [finder, recent, text, hits],
  )
  const count = groups.reduce((sum, { commands }) => sum + commands.length, 0)
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && query === '' && server) {
      event.preventDefault()
      show('')
    } else if (event.key === 'Tab' && !event.shiftKey) {
      const chosen = groups.flatMap(({ group, commands }) =>
        commands.filter(({ id }) => `${group} ${id}` === selected),
      )
      const id = chosen[0]?.serverId
      if (id === undefined) return
      event.preventDefault()
      show(id)
    }
  }
  return (
    <Cmdk
      className="flex min-h-0 flex-1 flex-col"
      label="Commands"
      loop
      shouldFilter={false}
      vimBindings={false}
      value={selected}
      onValueChange={setSelected}
      onKeyDown={press}
    >
      <div className="palette-input flex h-12 flex-none items-center gap-3 border-b border-line px-5">
        <Search className="icon text-faint" aria-hidden />
        {server && <span className="text-muted">{shortText(server.name)} ›</span>}
        <Cmdk.Input
          className="min-w-0 flex-1 text-title"
          autoFocus
          placeholder={server ? 'Choose a command' : 'Search or run a command'}
          value={query}
          onValueChange={setQuery}
        />
        <KeyCap keys={['Esc']} />
      </div>
      <Cmdk.List className="palette-list scroll px-3 pb-2" label="Results">
        {groups.map(({ group, commands }) => (
          <Cmdk.Group key={group} heading={group}>
            {commands.map((command) => {
              const { id, title, isCode, where, icon: Icon, keys } = command
              return (
                <Cmdk.Item
                  key={id}
                  // A recent command may appear a second time in its own group.
                  value={`${group} ${id}`}
                  className="palette-option pick flex min-w-0 items-center gap-2"
                  onSelect={() => onChoose(command)}
                >
                  <Icon className="icon text-muted" aria-hidden />
                  {isCode === true ? (
                    <code className="truncate">{title}</code>
                  ) : (
                    <span className="truncate">{title}</span>
                  )}
                  <span className="ms-auto max-w-1/2 truncate text-small text-faint">{where}</span>
                  {keys && <KeyCap keys={keys} />}
                </Cmdk.Item>
              )
            })}
          </Cmdk.Group>
        ))}
        {groups.length === 0 && (
          <p className="p-3 text-muted">
            {isLooking ? 'Searching the catalog' : `No results for “${shortText(text)}”.`}
          </p>
        )}
      </Cmdk.List>
      <div className="flex flex-none flex-wrap items-center gap-4 gap-y-0 border-t border-line bg-subtle px-5 py-2 text-small text-muted">
        <span className="hide-small flex items-center gap-2 whitespace-nowrap">
          <KeyCap keys={['↑', '↓']} />
          Move
        </span>
        <span className="flex items-center gap-2 whitespace-nowrap">
          <KeyCap keys={['↵']} />
          Run
        </span>
        <span className="flex items-center gap-2 whitespace-nowrap">
          <KeyCap keys={[server ? 'Backspace' : 'Tab']} />
          {server ? 'All commands' : 'Server commands'}
        </span>
        <span className="min-w-0 flex-1" />
        <span className="whitespace-nowrap text-faint tabular-nums" role="status">
          {counted(count, 'result')}
        </span>
      </div>
    </Cmdk>
  )
}

/** Runs the chosen command after the focus has returned. A command that opens a page then moves the focus from there. */
function Window(props: {
  readonly place: CommandContext
  readonly onClosed: (chosen: Command | undefined) => void
}): JSX.Element {
  const { place: context, onClosed } = props
  const chosen = useRef<Command | undefined>(undefined)
  const restoredFocus = useReturn(undefined)
  const choose = (command: Command): void => {
    chosen.current = command
    showOverlay('none')
  }
  const close = (event: Event): void => {
    restoredFocus(event)
    onClosed(chosen.current)
  }
  return (
    <Radix.Content
      className="palette float flex flex-col overflow-hidden"
      aria-describedby={undefined}
      onCloseAutoFocus={close}
    >
      <Radix.Title className="sr-only">Command palette</Radix.Title>
      <List place={context} onChoose={choose} />
    </Radix.Content>
  )
}

/** The command palette (Ctrl or Cmd and K): all commands, searchable. */
export function CommandPalette(): JSX.Element {
  const isOpen = usePalette(({ overlay }) => overlay === 'palette')
  const [, navigate] = useLocation()
  const [removing, setRemoving] = useState<ServerView | undefined>(undefined)
  const context = useMemo<CommandContext>(
    () => ({ navigate: (to) => navigate(to), isMac: isMacKeyboard(), onRemove: setRemoving }),
    [navigate],
  )
  const run = (command: Command | undefined): void => {
    if (!command) return
    // Catalog results exist only during a search.
    if (command.group !== 'Catalog') recordCommand(command.id)
    command.run()
  }
  return (
    <>
      <Radix.Root open={isOpen} onOpenChange={(open) => showOverlay(open ? 'palette' : 'none')}>
        <Radix.Portal>
          <Radix.Overlay className="scrim grid place-items-center">
            <Window place={context} onClosed={run} />
          </Radix.Overlay>
        </Radix.Portal>
      </Radix.Root>
      {removing && (
        <RemoveDialog
          servers={[removing]}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => navigate('/servers')}
        />
      )}
    </>
  )
}

const DEBOUNCE_MS = 80
const MOST = 6
const SEARCH_BOX = 'palette'

function hitOf(listed: ListedServer, navigate: (to: string) => void): Command {
  const { sourceId, name, title, publisher } = listed
  const params = new URLSearchParams({ find: title ?? name, name, source: sourceId })
  return {
    id: `catalog ${sourceId} ${name}`,
    group: 'Catalog',
    title: shortText(title ?? name),
    where: shortText(publisher),
    icon: Library,
    run: () => navigate(`/catalog?${params.toString()}`),
  }
}

/** Returns the catalog's results for a text; the previous results stay until new ones arrive. */
function useCatalogHits(
  text: string,
  navigate: (to: string) => void,
): { readonly hits: readonly Command[]; readonly isLooking: boolean } {
  const input = text === '' ? undefined : { text, limit: MOST, searchBox: SEARCH_BOX }
  const { value, problem, loaded } = useRequest('catalog.query', input, { debounceMs: DEBOUNCE_MS })
  if (text === '') return { hits: [], isLooking: false }
  // The catalog's page reports its own errors; the palette works without it.
  const found = problem ? [] : (value?.servers ?? [])
  return {
    hits: found.map((listed) => hitOf(listed, navigate)),
    isLooking: loaded.kind === 'loading',
  }
}

type Act = Pick<ServerAction, 'label' | 'icon' | 'run' | 'shortcut'> & {
  /** Whether the action opens a part of the server's page or restores an earlier version. */
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
  const rollback: Act = {
    ...{ label: `Roll back to ${shortText(earlier.version)}`, isPart: true, icon: Undo2 },
    run: ({ navigate }) => void rollBack({ installationId, name, navigate }, earlier),
  }
  return [...parts, rollback]
}

/** Puts a name into a label: `Remove…` becomes `Remove NAME…`. */
function titled(verb: string, name: string): string {
  return verb.endsWith('…') ? `${verb.slice(0, -1)} ${name}…` : `${verb} ${name}`
}

/** Returns all commands for one server; titles contain its name unless `isAlone`. */
function commandsOf(
  server: ServerView,
  place: CommandContext,
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
      // The shortcuts work on the page of one server, so the list of all omits them.
      ...(isAlone && shortcut !== undefined && { keys: capsFor(shortcut, isMac) }),
      run: () => run(at),
    }),
  )
}

/** Returns the command that opens a server's page, and leads to its commands. */
function serverCommand(server: ServerView, { navigate }: CommandContext): Command {
  const { installationId, name, status, identifier } = server
  return {
    id: `server ${installationId}`,
    group: 'Servers',
    title: shortText(name),
    where: STATUS_WORD[status.kind],
    keywords: identifier,
    icon: Server,
    serverId: installationId,
    run: () => navigate(`/servers/${installationId}`),
  }
}

/** Returns the command that changes a tool's availability to agents; undefined for a tool that needs review. */
function toolSwitch(listed: ListedTool, all: readonly ListedTool[]): Command | undefined {
  const { tool, exposure, isOn } = listed
  if (!isSwitchable(exposure)) return undefined
  const shown = shortText(tool.name)
  const message = isOn ? `${shown} no longer available to agents.` : `${shown} available to agents.`
  return {
    id: `switch ${tool.installationId} ${tool.name}`,
    group: 'Tools',
    title: isOn ? `Hide ${shown} from agents` : `Show ${shown} to agents`,
    where: isOn ? 'Available' : 'Hidden',
    keywords: isOn ? 'switch off disable' : 'switch on enable',
    icon: isOn ? EyeOff : Eye,
    run: () => switchTools(all, [listed], !isOn, message),
  }
}

/** Returns the command that opens a tool's Try it page. */
function toolCommand({ tool, server }: ListedTool, { navigate }: CommandContext): Command {
  const { installationId, name, title = '', exposedName = '' } = tool
  return {
    id: `tool ${installationId} ${name}`,
    group: 'Tools',
    title: shortText(name),
    isCode: true,
    where: shortText(server.name),
    keywords: `${title} ${exposedName}`,
    icon: Wrench,
    run: () => navigate(toolRunPath(installationId, 'tool', name)),
  }
}
