import './palette.css'

import { Command as Cmdk } from 'cmdk'
import { Library, Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type JSX, type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { RemoveDialog } from '../../components/server/remove-dialog'
import { useListedTools } from '../../components/tool/list/use-tool-listing'
import { useRequest } from '../../ipc/use-request'
import { useApp, useServer, useServers } from '../../stores/app-store'
import { noteCommand, showOverlay, usePalette } from '../../stores/palette-store'
import { useReturn } from '../../ui/focus/restore-focus'
import { KeyCap } from '../../ui/marks/key-cap'
import { isMacKeyboard } from '../../ui/marks/shortcuts'
import { counted } from '../../ui/text/format'
import { shortText } from '../../ui/text/visible-text'
import { type Command, CommandFinder } from './find-commands'
import { type CommandPlace, placeCommands } from './place-commands'
import { commandsOf, serverCommand, toolCommand, toolSwitch } from './server-commands'

function useCommands(place: CommandPlace, only: ServerView | undefined): CommandFinder {
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

function List(props: {
  readonly place: CommandPlace
  readonly onChoose: (command: Command) => void
}): JSX.Element {
  const { place, onChoose } = props
  const [query, setQuery] = useState('')
  /** The server whose commands are shown alone; empty for all. */
  const [serverId, setServerId] = useState('')
  const server = useServer(serverId)
  const show = (id: string): void => {
    setServerId(id)
    setQuery('')
  }
  const [selected, setSelected] = useState('')
  const [recent] = useState(() => usePalette.getState().recent)
  const text = query.trim()
  const finder = useCommands(place, server)
  const { hits, isLooking } = useCatalogHits(server ? '' : text, place.navigate)
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
                  // One that was run last may stand a second time in its own group.
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

/** Runs the chosen command once the focus is back where it was: one that leads elsewhere takes it along from there. */
function Window(props: {
  readonly place: CommandPlace
  readonly onClosed: (chosen: Command | undefined) => void
}): JSX.Element {
  const { place, onClosed } = props
  const chosen = useRef<Command | undefined>(undefined)
  const wayBack = useReturn(undefined)
  const choose = (command: Command): void => {
    chosen.current = command
    showOverlay('none')
  }
  const close = (event: Event): void => {
    wayBack(event)
    onClosed(chosen.current)
  }
  return (
    <Radix.Content
      className="palette float flex flex-col overflow-hidden"
      aria-describedby={undefined}
      onCloseAutoFocus={close}
    >
      <Radix.Title className="sr-only">Command palette</Radix.Title>
      <List place={place} onChoose={choose} />
    </Radix.Content>
  )
}

/** Everything that can be done, by its words (Ctrl or Cmd and K). */
export function CommandPalette(): JSX.Element {
  const isOpen = usePalette(({ overlay }) => overlay === 'palette')
  const [, navigate] = useLocation()
  const [removing, setRemoving] = useState<ServerView | undefined>(undefined)
  const place = useMemo<CommandPlace>(
    () => ({ navigate: (to) => navigate(to), isMac: isMacKeyboard(), onRemove: setRemoving }),
    [navigate],
  )
  const run = (command: Command | undefined): void => {
    if (!command) return
    // What the catalog lists is there only while it is looked for.
    if (command.group !== 'Catalog') noteCommand(command.id)
    command.run()
  }
  return (
    <>
      <Radix.Root open={isOpen} onOpenChange={(open) => showOverlay(open ? 'palette' : 'none')}>
        <Radix.Portal>
          <Radix.Overlay className="scrim grid place-items-center">
            <Window place={place} onClosed={run} />
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

const REST_MS = 80
const MOST = 6
const SEARCH_BOX = 'palette'

function hitOf(listed: ListedServer, navigate: (to: string) => void): Command {
  const { sourceId, name, title, publisher } = listed
  const asked = new URLSearchParams({ find: title ?? name, name, source: sourceId })
  return {
    id: `catalog ${sourceId} ${name}`,
    group: 'Catalog',
    title: shortText(title ?? name),
    where: shortText(publisher),
    icon: Library,
    run: () => navigate(`/catalog?${asked.toString()}`),
  }
}

/** What the catalog has for a text; the answer to an older text stays until that to the newest is there. */
function useCatalogHits(
  text: string,
  navigate: (to: string) => void,
): { readonly hits: readonly Command[]; readonly isLooking: boolean } {
  const input = text === '' ? undefined : { text, limit: MOST, searchBox: SEARCH_BOX }
  const { value, problem, loaded } = useRequest('catalog.query', input, { restMs: REST_MS })
  if (text === '') return { hits: [], isLooking: false }
  // The catalog tells on its own page what is wrong with it; the rest of the list stands without it.
  const found = problem ? [] : (value?.servers ?? [])
  return {
    hits: found.map((listed) => hitOf(listed, navigate)),
    isLooking: loaded.kind === 'loading',
  }
}
