import { ChevronRight } from 'lucide-react'
import { type JSX, useId, useState } from 'react'

import { AgentProfile, type AgentTool } from '../../../src-shared/domain/agents/agent'
import type { ToolView } from '../../../src-shared/domain/agents/tools'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { largestParts, partsText, ToolMeter } from '../../components/app/tool-meter'
import { useRequest } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'
import { useTools, useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { InlineField, ProblemText, SwitchField, TextInput, WarnText } from '../../ui/fields/field'
import { useTypedText } from '../../ui/fields/use-typed-text'
import { Skeleton } from '../../ui/layout/page'
import { counted, formatCount, problemText } from '../../ui/text/format'
import { appLimit, type ConnectedApp } from './app-groups'
import { limitWarning, namingHint, overLimitWarning } from './messages'
import { ToolChoiceDialog } from './tool-choice-dialog'
import type { ProfileEditing } from './use-profile'

type Servers = AgentProfile['servers']
type ServerList = Extract<Servers, { kind: 'list' }>['list']

type ToolShare = {
  readonly server: Pick<ServerView, 'installationId' | 'name' | 'enabled'>
  /** Tools that an app could get, each name once. */
  readonly tools: readonly ToolView[]
  readonly choice: ToolChoice
  /** Number of tools that the app gets now. */
  readonly shown: number
}

/** Returns the tools of every server, with the part of them that an app gets. */
export function toolShares(
  servers: readonly ToolShare['server'][],
  tools: readonly ToolView[],
  { chosen, shown }: { readonly chosen: Servers; readonly shown: readonly AgentTool[] },
): readonly ToolShare[] {
  const valid = tools.filter(({ exposure }) => exposure !== 'quarantined')
  const once = new Map(valid.map((tool) => [`${tool.installationId}\n${tool.name}`, tool]))
  const offered = Map.groupBy(once.values(), ({ installationId }) => installationId)
  const counts = new Map<string, number>()
  for (const { installationId } of shown)
    counts.set(installationId, (counts.get(installationId) ?? 0) + 1)
  return servers.map((server) => {
    const serverTools = offered.get(server.installationId) ?? []
    return {
      server,
      tools: serverTools,
      choice: choiceOf(chosen, server.installationId, serverTools),
      shown: counts.get(server.installationId) ?? 0,
    }
  })
}

function choiceOf(chosen: Servers, id: string, tools: readonly ToolView[]): ToolChoice {
  switch (chosen.kind) {
    case 'all':
      return { kind: 'all' }
    case 'readOnly':
      return { kind: 'list', names: tools.filter(isReadOnly).map(({ name }) => name) }
    case 'list':
      return chosen.list.find(({ installationId }) => installationId === id)?.choice ?? NONE
  }
}

const NONE: ToolChoice = { kind: 'none' }

function isReadOnly({ annotations }: Pick<ToolView, 'annotations'>): boolean {
  return annotations?.readOnlyHint === true
}

/** Returns the shares as a list of choices, with a new choice for one server. */
export function listOf(
  shares: readonly ToolShare[],
  changed?: { readonly installationId: string; readonly choice: ToolChoice },
): ServerList {
  return shares.flatMap(({ server: { installationId }, choice: before }) => {
    const choice = changed?.installationId === installationId ? changed.choice : before
    const isNone = choice.kind === 'none' || (choice.kind === 'list' && choice.names.length === 0)
    return isNone ? [] : [{ installationId, choice }]
  })
}

const NUMBER_PROBLEM = 'Enter a whole number from 1 to 10,000.'

/** Returns the tokens that the tools use in every conversation; undefined until each is counted. */
function tokensOf(tools: readonly AgentTool[]): number | undefined {
  const tokens = tools.flatMap((tool) => tool.tokens ?? [])
  return tokens.length < tools.length ? undefined : tokens.reduce((sum, one) => sum + one, 0)
}

const NAMED = 3

function Meter({
  shares,
  tools,
  profile: { searchMode, toolCap },
}: {
  readonly shares: readonly ToolShare[]
  readonly tools: readonly AgentTool[]
  readonly profile: AgentProfile
}): JSX.Element {
  const toolParts = shares.map(({ server: { name }, shown }) => ({ name, count: shown }))
  const parts = largestParts(toolParts, NAMED)
  const end = Math.max(1, tools.length, searchMode ? 1 : toolCap)
  const label = `${counted(tools.length, 'tool')} of ${formatCount(end)}`
  return (
    <div className="grid gap-1">
      <ToolMeter {...{ label, parts, end }} />
      <p className="text-small text-pretty text-faint tabular-nums" role="status">
        {tools.length === 0
          ? 'Start a server, or choose tools below.'
          : partsText(parts, searchMode ? 'search' : tokensOf(tools))}
      </p>
    </div>
  )
}

/** The tool limit, saved on Enter or blur, with its problem below. */
function LimitField({
  name,
  limit,
  editing: { profile, change },
}: {
  readonly name: string
  /** How many tools the app itself accepts. */
  readonly limit: number | undefined
  readonly editing: ProfileEditing
}): JSX.Element {
  const id = useId()
  const { problem, input } = useTypedText(String(profile.toolCap), (text) => {
    const { data: toolCap } = AgentProfile.shape.toolCap.safeParse(Number(text))
    if (!/^\d+$/u.test(text) || toolCap === undefined) return NUMBER_PROBLEM
    if (toolCap !== profile.toolCap) change({ toolCap })
    return undefined
  })
  const hint =
    limit === undefined
      ? 'Tools over the limit are not available to the app.'
      : `${name} accepts up to ${limit} tools.`
  return (
    <InlineField id={id} label="Tool limit" hint={hint} problem={problem}>
      {(ids) => (
        <div className="w-18">
          <TextInput {...ids} className="text-right tabular-nums" inputMode="numeric" {...input} />
        </div>
      )}
    </InlineField>
  )
}

function Warnings({
  app,
  shown: { tools, overCap },
  editing: { profile, change },
}: {
  readonly app: ConnectedApp
  readonly shown: { readonly tools: readonly AgentTool[]; readonly overCap: number }
  readonly editing: ProfileEditing
}): JSX.Element | null {
  if (profile.searchMode) return null
  const limit = appLimit({ ...app, agent: { profile } })
  const limitText = limitWarning(app.agent.name, limit, tools.length)
  const overLimitText = overLimitWarning(overCap, profile.toolCap)
  return (
    <>
      <WarnText>{limitText ?? overLimitText}</WarnText>
      {limitText !== undefined && limit !== undefined && (
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <Button size="small" onClick={() => change({ toolCap: limit })}>
            {`Limit to ${formatCount(limit)}`}
          </Button>
          <Button size="small" onClick={() => change({ searchMode: true })}>
            Turn on search
          </Button>
        </p>
      )}
    </>
  )
}

function Switches({
  shown,
  editing: { profile, change },
}: {
  readonly shown: readonly AgentTool[]
  readonly editing: ProfileEditing
}): JSX.Element {
  const id = useId()
  const { tools } = useTools()
  // The first tool that the app gets, under both of its names.
  const [first] = shown
  const view = tools?.find(
    ({ installationId, name }) => installationId === first?.installationId && name === first.tool,
  )
  return (
    <>
      <SwitchField
        id={`${id}-search`}
        label="Tool search"
        hint="Replaces the tool list with find_tools and call_tool to save context."
        checked={profile.searchMode}
        onCheckedChange={(searchMode) => change({ searchMode })}
      />
      <SwitchField
        id={`${id}-naming`}
        label="Short names"
        hint={namingHint(profile.naming, view)}
        checked={profile.naming === 'plain'}
        onCheckedChange={(isPlain) => change({ naming: isPlain ? 'plain' : 'prefixed' })}
      />
      <SwitchField
        id={`${id}-schemas`}
        label="Simplified schemas"
        hint="For models that reject complex input schemas. Calls still use the server’s schema."
        checked={profile.simplifiedSchemas}
        onCheckedChange={(simplifiedSchemas) => change({ simplifiedSchemas })}
      />
    </>
  )
}

const NO_TOOLS: readonly AgentTool[] = []
/** Hint for servers with state, such as browsers and shells. */
const SHARED =
  'All apps share one process of each server, and its state, such as an open page. A server’s page has a choice of one process for each app.'

/** Which tools an app gets: all, the read-only ones, or chosen ones, by server and up to a limit. */
export function ToolsSection({
  app,
  editing,
}: {
  readonly app: ConnectedApp
  readonly editing: ProfileEditing
}): JSX.Element {
  const id = useId()
  const { agentId, name } = app.agent
  const { profile, change } = editing
  const servers = useServers()
  const { tools: listed } = useTools()
  const { value, problem } = useRequest(
    'agent.tools',
    { agentId, profile },
    { state: [useToolsState()] },
  )
  const [openedId, setOpenedId] = useState<string | null>(null)
  // Keeps the chosen tools while the user looks at "All".
  const [lastList, setLastList] = useState<Servers | null>(null)
  const shown = value?.tools ?? NO_TOOLS
  const shares = toolShares(servers, listed ?? [], { chosen: profile.servers, shown })
  const opened = shares.find(({ server }) => server.installationId === openedId)
  const choose = (kind: Servers['kind']): void => {
    if (profile.servers.kind === 'list') setLastList(profile.servers)
    const list = lastList ?? { kind: 'list', list: listOf(shares) }
    change({ servers: kind === 'list' ? list : { kind } })
  }
  const open = shares.flatMap(({ tools }) => tools.filter(({ exposure }) => exposure === 'exposed'))
  const options = [
    { value: 'all', label: `All ${formatCount(open.length)}` },
    { value: 'readOnly', label: `Read-only ${formatCount(open.filter(isReadOnly).length)}` },
    { value: 'list', label: 'Choose' },
  ] as const satisfies readonly { value: Servers['kind']; label: string }[]
  return (
    <section className="app-part grid min-w-0 gap-3" aria-labelledby={`${id}-head`}>
      <div className="flex items-center justify-between">
        <h3 id={`${id}-head`}>Tools</h3>
        {value && (
          <span className="text-muted tabular-nums">
            {profile.searchMode
              ? `${formatCount(shown.length)} searchable`
              : `${formatCount(shown.length)} of ${formatCount(profile.toolCap)}`}
          </span>
        )}
      </div>
      <Segmented
        label={`Tools available to ${name}`}
        value={profile.servers.kind}
        options={options}
        onValueChange={choose}
      />
      {problem && <ProblemText topic={problem.code}>{problemText(problem)}</ProblemText>}
      {value ? (
        <Meter shares={shares} tools={shown} profile={profile} />
      ) : (
        problem === undefined && <Skeleton label="Reading tools" rows={2} />
      )}
      {value && <Warnings app={app} shown={value} editing={editing} />}
      <ul className="-mx-2">
        {shares.map(({ server: { installationId, name, enabled }, tools, shown }) => (
          <li key={installationId}>
            <button
              type="button"
              className="bare pick flex w-full items-center gap-2 text-muted hover:bg-hover"
              onClick={() => setOpenedId(installationId)}
            >
              <span className="truncate flex-1">
                <span className="sr-only">Choose tools of </span>
                {name}
              </span>
              {!enabled && <span className="text-small text-faint">Turned off</span>}
              <span className="tabular-nums">{`${formatCount(shown)} of ${formatCount(tools.length)}`}</span>
              <ChevronRight className="icon icon-s text-faint" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {shares.length > 0 && <p className="text-small text-pretty text-faint">{SHARED}</p>}
      <LimitField name={name} limit={appLimit({ ...app, agent: { profile } })} editing={editing} />
      <Switches shown={shown} editing={editing} />
      {opened && (
        <ToolChoiceDialog
          serverName={opened.server.name}
          tools={opened.tools}
          choice={opened.choice}
          onSave={(choice) =>
            change({
              servers: {
                kind: 'list',
                list: listOf(shares, { installationId: opened.server.installationId, choice }),
              },
            })
          }
          onClose={() => setOpenedId(null)}
        />
      )}
    </section>
  )
}
