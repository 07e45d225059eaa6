import './setup.css'

import type { JSX } from 'react'
import { useEffect } from 'react'

import { ask } from '../../../components/app/ask'
import { serversInApps } from '../../../components/server/servers-in-apps'
import { useApp, useServers } from '../../../stores/app-store'
import { Button } from '../../../ui/controls/button'
import { Page } from '../../../ui/layout/page'
import { ConnectionOverview } from '../connection-overview'
import { AddStep } from './add-step'
import { ConnectStep } from './connect-step'
import { setupHeadline } from './setup-headline'
import { closeSetup } from './setup-state'
import { StartStep } from './start-step'

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
