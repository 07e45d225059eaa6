import './setup.css'

import { type JSX, useEffect } from 'react'
import { Link } from 'wouter'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { ask } from '../../../components/app/ask'
import { LiveWords } from '../../../components/server/live-words'
import { serversInApps } from '../../../components/server/servers-in-apps'
import { SuggestedButton } from '../../../components/server/suggested-button'
import { useApp, useServers } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Page } from '../../../ui/layout/page'
import { StatusGlyph } from '../../../ui/marks/status-glyph'
import { counted, formatList } from '../../../ui/text/format'
import { STATUS_WORD, waitsForUser } from '../../../ui/text/status-messages'
import { causeAction, suggestedAction } from '../../../ui/text/suggested-action'
import { ConnectionOverview } from '../connection-overview'
import { AddStep } from './add-step'
import { ConnectStep } from './connect-step'
import { closeSetup } from './setup-state'
import { SetupStep, type StepState } from './setup-step'

const isReady = ({ status }: ServerView): boolean => status.kind === 'ready'

function Row({ server }: { readonly server: ServerView }): JSX.Element {
  const { installationId, name, status } = server
  const action = causeAction(status) ?? suggestedAction(status)
  return (
    <li className="row gap-3 pad-row">
      <StatusGlyph status={status.kind} label={STATUS_WORD[status.kind]} />
      <p className="grow slim soft pretty">
        <Link href={`/servers/${installationId}`} className="medium ink">
          {name}
        </Link>{' '}
        <LiveWords server={server} part="sentence" />
      </p>
      {action && <SuggestedButton inList server={server} action={action} />}
    </li>
  )
}

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

/** The second step: what became of the servers, with what to do about each that isn't ready. */
function StartStep(): JSX.Element {
  const servers = useServers()
  const others = servers.filter((server) => !isReady(server))
  return (
    <SetupStep number={2} title="Start" state={stateOf(servers)} text={textOf(servers)}>
      {others.length > 0 && (
        <ul className="box surface divided setup-box" aria-label="Servers that are not ready">
          {others.map((server) => (
            <Row key={server.installationId} server={server} />
          ))}
        </ul>
      )}
    </SetupStep>
  )
}

function Headline(): JSX.Element {
  const servers = useServers()
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  const { headline, lead } = setupHeadline(servers, agents)
  return (
    <div>
      <h2 className="home-answer" aria-live="polite">
        {headline}
      </h2>
      <p className="above-1 soft lead">{lead}</p>
    </div>
  )
}

/** Home until the first app is connected: three steps from the user's servers to the user's apps. */
export function SetupGuide(): JSX.Element {
  const servers = useServers()
  const hasAgents = useApp(({ app }) => (app?.agents.agents.length ?? 0) > 0)
  const hosts = useApp(({ app }) => app?.hosts)
  const found = {
    servers: hosts ? serversInApps(hosts) : 0,
    apps: hosts?.hosts.filter(({ isHere }) => isHere).length ?? 0,
  }
  // The files of apps may be newer than what was read at the start.
  useEffect(() => void ask('hosts.look', {}), [])
  const isComplete = servers.length > 0 && hasAgents
  return (
    <Page
      title="Home"
      actions={
        <Button variant={isComplete ? 'primary' : 'quiet'} onClick={closeSetup}>
          {isComplete ? 'Finish setup' : 'Skip setup'}
        </Button>
      }
    >
      <div className="setup-guide stack gap-5">
        <Headline />
        <ConnectionOverview servers={servers} found={found} />
        <ol className="setup-steps stack">
          <AddStep />
          <StartStep />
          <ConnectStep />
        </ol>
        {!isComplete && (
          <p className="soft small">
            You can skip setup. To open it again, search for “setup guide”.
          </p>
        )}
      </div>
    </Page>
  )
}

/** "5 servers are ready, 1 is starting, and 1 needs attention." */
function serversSentence(servers: readonly Pick<ServerView, 'status'>[]): string {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const parts: [number, string, string][] = [
    [count('ready'), 'is ready', 'are ready'],
    [count('starting'), 'is starting', 'are starting'],
    [servers.filter(waitsForUser).length, 'needs attention', 'need attention'],
  ]
  const said = parts.filter(([number]) => number > 0)
  return formatList(
    said.map(([number, one, many], index) => {
      const subject = index === 0 ? counted(number, 'server') : String(number)
      return `${subject} ${number === 1 ? one : many}`
    }),
  )
}

/** What the setup guide has led to so far. */
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
  const sentence = serversSentence(servers)
  const lead = sentence === '' ? 'Your servers are stopped.' : `${sentence}.`
  return agent
    ? { headline: `${agent.name} sees ${counted(agent.exposed, 'tool')}`, lead }
    : { headline: 'Now connect an app', lead }
}
