import type { JSX } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { AddServer, NoServers } from '../../components/server/no-servers'
import { ServerTable } from '../../components/server/server-table'
import { useAppLimits } from '../../components/tool/use-app-limits'
import { useApp, useServers } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { useToolsState } from '../../stores/tools-store'
import { Page } from '../../ui/layout/page'
import { PartHead } from '../../ui/layout/part-head'
import { waitsForUse } from '../../ui/text/status-messages'
import { appsInNeed } from './attention'
import { AttentionList, useAttention } from './attention-list'
import { ConnectionOverview } from './connection-overview'
import { homeWords } from './home-messages'
import { HomeSide } from './home-side'
import { RecentErrors } from './recent-errors'
import { RecoveredList } from './recovered-list'
import { SetupGuide } from './setup/setup-guide'
import { useShowsSetup } from './setup/setup-state'
import { UpdateNotice } from './update-notice'
import { useRecoveries } from './use-recoveries'

function Answer({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const isWaiting = servers.some(({ status }) => status.kind === 'backingOff')
  const now = useNow(isWaiting ? 500 : 0)
  const tools = useToolsState()
  const starts = new Map(tools?.servers.map((one) => [one.installationId, one.starts]))
  const waiting = servers.filter((one) => waitsForUse(one, starts.get(one.installationId))).length
  const hosts = useApp(({ app }) => app?.hosts.hosts) ?? []
  const apps = appsInNeed({ hosts, limits: useAppLimits() })
  const updates = servers.filter(({ update }) => update !== undefined).length
  const beyond = { held: tools?.held ?? 0, waiting, apps, updates }
  const { headline, proof } = homeWords(servers, now, beyond)
  return (
    <div>
      <h2 className="home-answer">{headline}</h2>
      {proof !== '' && <p className="above-1 soft lead num">{`${proof}.`}</p>}
    </div>
  )
}

function Overview({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const recoveries = useRecoveries()
  const attention = useAttention()
  const named = new Set(attention.map(({ installationId }) => installationId))
  const others = servers.filter(({ installationId }) => !named.has(installationId))
  return (
    <div className="stack gap-6 slim-parts">
      <UpdateNotice />
      <Answer servers={servers} />
      <ConnectionOverview servers={servers} />
      <div className="home-grid stack at-top">
        <div className="col gap-6 slim">
          <AttentionList attention={attention} />
          <RecoveredList {...recoveries} />
          <RecentErrors recovered={recoveries.found} />
          {others.length > 0 && (
            <section aria-labelledby="servers-head">
              <PartHead
                id="servers-head"
                title={others.length < servers.length ? 'Other servers' : 'Servers'}
                count={others.length}
              />
              <ServerTable servers={others} labelledBy="servers-head" />
            </section>
          )}
        </div>
        <HomeSide />
      </div>
    </div>
  )
}

/** The answer first: how the servers are, the way of a call, what needs a person, and the other servers in one table. */
export function HomePage(): JSX.Element {
  const servers = useServers()
  if (useShowsSetup()) return <SetupGuide />
  return (
    <Page title="Home" actions={servers.length > 0 && <AddServer />}>
      {servers.length === 0 ? (
        <>
          <UpdateNotice />
          <NoServers message="Pick a server from the catalog, or import servers from your apps." />
        </>
      ) : (
        <Overview servers={servers} />
      )}
    </Page>
  )
}
