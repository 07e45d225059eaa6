import { X } from 'lucide-react'
import type { JSX } from 'react'
import { useEffect } from 'react'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { useAgents } from '../../components/app/use-agents'
import { useNow } from '../../stores/now'
import { IconButton } from '../../ui/controls/icon-button'
import { Tile } from '../../ui/marks/tile'
import type { ConnectedApp } from './app-groups'
import { AppMenu } from './app-menu'
import { DETAIL_ID } from './app-table'
import { ConnectionSection } from './connection/connection-section'
import { GatewayBanner } from './gateway-banner'
import { clientName, lastSeen } from './messages'
import { PermissionsSection } from './permissions-section'
import { ToolsSection } from './tools-section'
import { useProfile } from './use-profile'

/** The client and when it was last connected: "cursor-vscode 2.1.36, last seen 2 min ago". */
function seenText(agent: AgentView, now: number): string {
  const client = clientName(agent)
  const seen = lastSeen(agent, now) ?? 'before this session'
  if (client === undefined) return `Last seen: ${seen}`
  return agent.connections > 0 ? `${client}, connected` : `${client}, last seen ${seen}`
}

/** One app: its tools, permissions, and connection. */
export function AppDetail({
  app,
  onClose,
}: {
  readonly app: ConnectedApp
  /** Closes the app beside the list; undefined where the app has the page, and the page its name. */
  readonly onClose: (() => void) | undefined
}): JSX.Element {
  const now = useNow(30_000)
  const editing = useProfile(app.agent)
  const { name } = app.agent
  const gateway = useAgents()?.gateway
  const isBeside = onClose !== undefined
  useEffect(() => {
    // A page of its own replaces the link that opened the app.
    if (!isBeside && document.activeElement === document.body)
      document.getElementById(DETAIL_ID)?.focus()
  }, [isBeside])
  return (
    <>
      <header className="app-head row gap-3 ruled fixed">
        <Tile name={name} />
        <div className="grow">
          <h2 className={isBeside ? 'title cut' : 'sr'}>{name}</h2>
          <p className="faint small cut">{seenText(app.agent, now)}</p>
        </div>
        <AppMenu app={app} />
        {isBeside && <IconButton icon={X} label="Close" shortcut="Esc" onClick={onClose} />}
      </header>
      <div
        id={DETAIL_ID}
        className="app-detail detail-body page-body fill scroll"
        tabIndex={0}
        role="region"
        aria-label={`Settings of ${name}`}
      >
        <div className="app-parts">
          {!isBeside && gateway && <GatewayBanner status={gateway} />}
          <ToolsSection app={app} editing={editing} />
          <PermissionsSection agent={app.agent} editing={editing} />
          <ConnectionSection app={app} />
        </div>
      </div>
    </>
  )
}
