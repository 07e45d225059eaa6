import type { JSX } from 'react'
import { useMemo, useState } from 'react'

import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { ToolView } from '../../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { useServers } from '../../../stores/app-store'
import { useTools } from '../../../stores/tools-store'
import { Button } from '../../../ui/controls/button'
import { Segmented } from '../../../ui/controls/segmented'
import { takenWords } from '../endpoint/agent-words'
import { ToolChoiceDialog } from './tool-choice-dialog'

type Servers = AgentProfile['servers']
type ServerList = Extract<Servers, { kind: 'list' }>['list']

/** Where the form leads who wants to choose. */
export const CHOICE_ID = 'agent-servers'
const KINDS = [
  { value: 'all', label: 'All servers' },
  { value: 'list', label: 'Chosen servers' },
] as const
const NONE: ToolChoice = { kind: 'none' }
const NO_TOOLS: readonly ToolView[] = []

/** The tools that an agent could be shown, by server, each name once. */
function useOffered(): ReadonlyMap<string, readonly ToolView[]> {
  const { tools } = useTools()
  return useMemo(() => {
    const offered = (tools ?? []).filter(({ standing }) => standing !== 'quarantined')
    const once = new Map(offered.map((tool) => [`${tool.installationId}\n${tool.name}`, tool]))
    return Map.groupBy(once.values(), ({ installationId }) => installationId)
  }, [tools])
}

/** The choices with another for one server, in the order of the servers. */
function withChoice(
  list: ServerList,
  servers: readonly ServerView[],
  changed: ServerList[number],
): ServerList {
  const choices = new Map(list.map(({ installationId, choice }) => [installationId, choice]))
  choices.set(changed.installationId, changed.choice)
  return servers.flatMap(({ installationId }) => {
    const choice = choices.get(installationId) ?? NONE
    return choice.kind === 'none' ? [] : [{ installationId, choice }]
  })
}

function ServerRow({
  server: { name, enabled },
  tools,
  choice,
  onChange,
  onOpen,
}: {
  readonly server: ServerView
  readonly tools: readonly ToolView[]
  readonly choice: ToolChoice
  readonly onChange: (choice: ToolChoice) => void
  readonly onOpen: () => void
}): JSX.Element {
  const isIn = choice.kind !== 'none'
  const names = tools.map((tool) => tool.name)
  return (
    <li className="row gap-3 pad-row">
      <label className="row gap-2 slim grow">
        <input
          type="checkbox"
          className="check"
          checked={isIn}
          onChange={({ currentTarget }) =>
            onChange({ kind: currentTarget.checked ? 'all' : 'none' })
          }
        />
        <span className="cut">{name}</span>
        {!enabled && <span className="faint small">disabled</span>}
      </label>
      {isIn && <span className="right soft num small">{takenWords(choice, names)}</span>}
      {isIn && (
        <Button size="small" aria-label={`Choose tools of ${name}`} onClick={onOpen}>
          Choose tools
        </Button>
      )}
    </li>
  )
}

function Chosen({
  list,
  onChange,
}: {
  readonly list: ServerList
  readonly onChange: (list: ServerList) => void
}): JSX.Element {
  const servers = useServers()
  const offered = useOffered()
  const [openedId, setOpenedId] = useState<string | null>(null)
  const opened = servers.find(({ installationId }) => installationId === openedId)
  const choiceOf = (id: string): ToolChoice =>
    list.find(({ installationId }) => installationId === id)?.choice ?? NONE
  const set = (installationId: string, choice: ToolChoice): void =>
    onChange(withChoice(list, servers, { installationId, choice }))
  if (servers.length === 0)
    return (
      <p className="soft small pretty break">
        There are no servers yet. Those of the catalog stand here then.
      </p>
    )
  return (
    <>
      <ul className="agent-servers box divided" aria-label="Servers that the agent is shown">
        {servers.map((server) => {
          const { installationId } = server
          return (
            <ServerRow
              key={installationId}
              server={server}
              tools={offered.get(installationId) ?? NO_TOOLS}
              choice={choiceOf(installationId)}
              onChange={(choice) => set(installationId, choice)}
              onOpen={() => setOpenedId(installationId)}
            />
          )
        })}
      </ul>
      {opened && (
        <ToolChoiceDialog
          serverName={opened.name}
          tools={offered.get(opened.installationId) ?? NO_TOOLS}
          choice={choiceOf(opened.installationId)}
          onChange={(choice) => set(opened.installationId, choice)}
          onClose={() => setOpenedId(null)}
        />
      )}
    </>
  )
}

/** Every server as it is, as a list to choose from. */
export function everyServer(servers: readonly ServerView[]): ServerList {
  return servers.map(({ installationId }) => ({ installationId, choice: { kind: 'all' } }))
}

/** Which servers an agent is shown, and which of their tools. */
export function ServerChoice({
  value,
  onChange,
}: {
  readonly value: Servers
  readonly onChange: (servers: Servers) => void
}): JSX.Element {
  const servers = useServers()
  // So that a look at "All servers" does not lose what was chosen.
  const [lastList, setLastList] = useState<ServerList | null>(null)
  const choose = (kind: Servers['kind']): void => {
    if (value.kind === 'list') setLastList(value.list)
    onChange(kind === 'all' ? { kind } : { kind, list: lastList ?? everyServer(servers) })
  }
  return (
    <>
      <div>
        <Segmented
          id={CHOICE_ID}
          label="Servers and tools"
          value={value.kind}
          options={KINDS}
          onValueChange={choose}
        />
      </div>
      {value.kind === 'list' ? (
        <Chosen list={value.list} onChange={(list) => onChange({ kind: 'list', list })} />
      ) : (
        <p className="soft small pretty break">
          All tools that are switched on under Tools, also of servers that you add later.
        </p>
      )}
    </>
  )
}
