import './setup.css'

import { CheckCircle2 } from 'lucide-react'
import { type JSX, useEffect, useId, useState } from 'react'
import { Link } from 'wouter'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { STATUS_WORD } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { ChangeView } from '../../../components/app/change-view'
import { DuplicatesChoice, duplicatesText } from '../../../components/app/duplicates-choice'
import { fileProblem } from '../../../components/app/file-messages'
import { type HostRow, hostRows } from '../../../components/app/host-rows'
import { useAgent, useConnecting } from '../../../components/app/use-connecting'
import { LiveStatusText } from '../../../components/server/live-status-text'
import { serversInApps } from '../../../components/server/no-servers'
import { SuggestedButton } from '../../../components/server/server-menu'
import {
  causeAction,
  suggestedAction,
  waitsForUser,
} from '../../../components/status/status-messages'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/show-failure'
import { useApp, useServers } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { DisclosureButton } from '../../../ui/controls/disclosure'
import { ProblemText } from '../../../ui/fields/field'
import { Page, Skeleton } from '../../../ui/layout/page'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { counted, formatList, problemText } from '../../../ui/text/format'
import { visibleText } from '../../../ui/text/untrusted-text'
import { ConnectionOverview } from '../connection-overview'
import { AddStep } from './add-step'
import { SetupStep, type StepState } from './setup-step'

const isReady = ({ status }: ServerView): boolean => status.kind === 'ready'

function stateOf(servers: readonly ServerView[]): StepState {
  if (servers.length === 0) return 'later'
  return servers.some(isReady) ? 'done' : 'current'
}

function textOf(servers: readonly ServerView[]): string {
  const ready = servers.filter(isReady).map(({ name }) => name)
  if (ready.length === 0)
    return 'Patchbay starts the servers you approve and shows how to fix any that fail.'
  if (ready.length > 6) return `${counted(ready.length, 'server')} are ready.`
  const names = formatList(ready)
  return `${names} ${ready.length === 1 ? 'is' : 'are'} ready.`
}

function StartStep(): JSX.Element {
  const servers = useServers()
  const others = servers.filter((server) => !isReady(server))
  return (
    <SetupStep number={2} title="Start" state={stateOf(servers)} text={textOf(servers)}>
      {others.length > 0 && (
        <ul
          className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
          aria-label="Servers that are not ready"
        >
          {others.map((server) => {
            const { installationId, name, status } = server
            const action = causeAction(status) ?? suggestedAction(status)
            return (
              <li key={installationId} className="flex items-center gap-3 px-3 py-2">
                <StatusGlyph status={status.kind} label={STATUS_WORD[status.kind]} />
                <p className="min-w-0 flex-1 text-pretty text-muted">
                  <Link href={`/servers/${installationId}`} className="font-medium text-foreground">
                    {name}
                  </Link>{' '}
                  <LiveStatusText server={server} part="message" />
                </p>
                {action && <SuggestedButton inList server={server} action={action} />}
              </li>
            )
          })}
        </ul>
      )}
    </SetupStep>
  )
}

/**
 * Whether Home shows the setup guide: while there is no server or no connected app, unless the user closed the guide. A shown guide stays
 * until the user leaves Home, so that its last step is visible.
 */
export function useShowsSetup(): boolean {
  const setup = useApp(({ app }) => app?.settings.setup)
  const isIncomplete = useApp(
    ({ app }) => app !== null && (app.servers.length === 0 || app.agents.agents.length === 0),
  )
  const isDue = setup === 'open' || (setup === 'auto' && isIncomplete)
  const [wasDue, setWasDue] = useState(isDue)
  if (isDue && !wasDue) setWasDue(true)
  return isDue || (wasDue && setup !== 'closed')
}

/** Home until the first app is connected: three steps from the user's servers to the user's apps. */
export function SetupGuide(): JSX.Element {
  const servers = useServers()
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  const { headline, lead } = setupHeadline(servers, agents)
  const hosts = useApp(({ app }) => app?.hosts)
  const found = {
    servers: hosts ? serversInApps(hosts) : 0,
    apps: hosts?.hosts.filter(({ isHere }) => isHere).length ?? 0,
  }
  // The apps' files may have changed since the start.
  useEffect(() => void attempt(call('hosts.look', {})), [])
  const isComplete = servers.length > 0 && agents.length > 0
  return (
    <Page
      title="Home"
      actions={
        <Button
          variant={isComplete ? 'primary' : 'quiet'}
          onClick={() => void attempt(call('settings.update', { setup: 'closed' }))}
        >
          {isComplete ? 'Finish setup' : 'Skip setup'}
        </Button>
      }
    >
      <div className="mx-auto grid max-w-212 gap-5">
        <div>
          <h2 className="text-display" aria-live="polite">
            {headline}
          </h2>
          <p className="mt-1 text-lead text-muted">{lead}</p>
        </div>
        <ConnectionOverview servers={servers} found={found} />
        <ol className="grid">
          <AddStep />
          <StartStep />
          <ConnectStep />
        </ol>
        {!isComplete && (
          <p className="text-small text-muted">
            You can skip setup. To open it again, search for “setup guide”.
          </p>
        )}
      </div>
    </Page>
  )
}

/** Returns "5 servers are ready, 1 is starting, and 1 needs attention." */
function serversMessage(servers: readonly Pick<ServerView, 'status'>[]): string {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const parts: [number, string, string][] = [
    [count('ready'), 'is ready', 'are ready'],
    [count('starting'), 'is starting', 'are starting'],
    [servers.filter(waitsForUser).length, 'needs attention', 'need attention'],
  ]
  const shown = parts.filter(([number]) => number > 0)
  return formatList(
    shown.map(([number, one, many], index) => {
      const subject = index === 0 ? counted(number, 'server') : String(number)
      return `${subject} ${number === 1 ? one : many}`
    }),
  )
}

/** Returns the result of the setup guide so far. */
export function setupHeadline(
  servers: readonly Pick<ServerView, 'status'>[],
  agents: readonly Pick<AgentView, 'name' | 'exposed'>[],
): { readonly headline: string; readonly lead: string } {
  if (servers.length === 0)
    return {
      headline: 'Add servers once, use them in every app',
      lead: 'Patchbay runs your MCP servers and shares their tools with the apps you connect.',
    }
  const [agent] = agents
  const message = serversMessage(servers)
  const lead = message === '' ? 'Your servers are stopped.' : `${message}.`
  return agent
    ? { headline: `${agent.name} sees ${counted(agent.exposed, 'tool')}`, lead }
    : { headline: 'Now connect an app', lead }
}

const MAX_APPS = 6

function ConnectedRow(props: { readonly row: HostRow; readonly agentId: string }): JSX.Element {
  const { row, agentId } = props
  const agent = useAgent(agentId)
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium text-foreground">{row.host.name}</p>
        <p className="text-muted">{row.host.reload}</p>
      </div>
      <p className="is-ready flex items-center gap-1 whitespace-nowrap text-status" role="status">
        <CheckCircle2 className="icon" aria-hidden />
        {agent ? `Sees ${counted(agent.exposed, 'tool')}` : 'Connected'}
      </p>
    </li>
  )
}

function AvailableRow(props: { readonly row: HostRow; readonly isFirst: boolean }): JSX.Element {
  const { row, isFirst } = props
  const id = useId()
  const [isOpen, setIsOpen] = useState(isFirst)
  const connecting = useConnecting(row, () => undefined)
  const { refusal, nameProblem, duplicates, turnDuplicatesOff } = connecting
  const { preview, canWrite, isBusy, write } = connecting
  return (
    <li className="grid gap-2 px-3 py-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium text-foreground">{row.host.name}</p>
          <p className="truncate text-muted">
            Adds 1 entry to <code>{visibleText(row.file.path)}</code>
            {duplicates?.isIncluded === true && ` and ${duplicatesText(duplicates)}`}
          </p>
        </div>
        <DisclosureButton label="Change" open={isOpen} controls={id} onOpenChange={setIsOpen} />
        <Button
          variant={isFirst ? 'primary' : 'default'}
          busy={isBusy}
          aria-disabled={!canWrite || undefined}
          aria-label={`Connect ${row.host.name}`}
          onClick={write}
        >
          Connect
        </Button>
      </div>
      {nameProblem !== undefined && <ProblemText>{nameProblem}</ProblemText>}
      {refusal && <ProblemText topic={refusal.code}>{problemText(refusal)}</ProblemText>}
      <div id={id} hidden={!isOpen}>
        {isOpen &&
          (preview ? <ChangeView preview={preview} /> : <Skeleton label="Reading the file" />)}
      </div>
      {duplicates && (
        <DuplicatesChoice
          duplicates={duplicates}
          appName={row.host.name}
          onChoose={turnDuplicatesOff}
        />
      )}
    </li>
  )
}

/** Returns the apps on this computer with a user-level file that Patchbay can write, connected ones first. */
function useAppRows(): { readonly rows: readonly HostRow[]; readonly isRead: boolean } {
  const hosts = useApp(({ app }) => app?.hosts)
  if (!hosts?.isRead) return { rows: [], isRead: false }
  const own = hostRows(hosts).rows.filter(
    ({ file, connection }) =>
      file.scope !== 'folder' && (connection !== undefined || fileProblem(file) === undefined),
  )
  const connected = own.filter(({ connection }) => connection?.state === 'asWritten')
  const available = own.filter(({ connection }) => connection === undefined)
  return { rows: [...connected, ...available].slice(0, MAX_APPS), isRead: true }
}

function Apps({ isCurrent }: { readonly isCurrent: boolean }): JSX.Element {
  const { rows, isRead } = useAppRows()
  if (!isRead) return <Skeleton label="Looking for apps" rows={3} />
  if (rows.length === 0)
    return (
      <p className="flex items-center gap-3 overflow-hidden rounded-lg border border-line bg-surface px-3 py-2 text-muted">
        <span className="min-w-0 flex-1 text-pretty">
          Any MCP client can connect with an address or a command.
        </span>
        <ButtonLink variant="primary" href="/apps?add">
          Connect an app
        </ButtonLink>
      </p>
    )
  const first = rows.find(({ connection }) => !connection)?.rowId
  const isAnyConnected = rows.some(({ connection }) => connection)
  return (
    <ul
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
      aria-label="Apps on this computer"
    >
      {rows.map((row) =>
        row.connection?.agentId === undefined ? (
          <AvailableRow
            key={row.rowId}
            row={row}
            isFirst={isCurrent && !isAnyConnected && row.rowId === first}
          />
        ) : (
          <ConnectedRow key={row.rowId} row={row} agentId={row.connection.agentId} />
        ),
      )}
    </ul>
  )
}

function ConnectStep(): JSX.Element {
  const hasServers = useServers().length > 0
  const hasAgents = useApp(({ app }) => (app?.agents.agents.length ?? 0) > 0)
  const unconnected = hasServers ? 'current' : 'later'
  const state: StepState = hasAgents ? 'done' : unconnected
  return (
    <SetupStep
      number={3}
      title="Connect an app"
      state={state}
      text="Patchbay shows the change to the config file before it saves it."
      link={
        state !== 'later' && (
          <ButtonLink size="small" variant="quiet" href="/apps">
            All apps
          </ButtonLink>
        )
      }
    >
      {state !== 'later' && <Apps isCurrent={state === 'current'} />}
    </SetupStep>
  )
}
