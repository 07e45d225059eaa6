import './apps.css'

import clsx from 'clsx'
import { Plus, X } from 'lucide-react'
import { type JSX, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import type { AgentsState, AgentView } from '../../../src-shared/domain/agents/agent'
import type { HostsState } from '../../../src-shared/domain/agents/host'
import type { HostRow } from '../../components/app/host-rows'
import { useAgents } from '../../components/app/use-agents'
import { call } from '../../ipc/call'
import { pickPath } from '../../ipc/pick-path'
import { attempt, refusalWords } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { Button, ButtonLink } from '../../ui/controls/button'
import { IconButton } from '../../ui/controls/icon-button'
import { focusAfter, useWayBack } from '../../ui/focus/restore-focus'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { Skeleton } from '../../ui/layout/skeleton'
import { useMediaQuery } from '../../ui/layout/use-media-query'
import { Tile } from '../../ui/marks/tile'
import { FoldersDialog } from '../../ui/overlays/folders-dialog'
import { formatList } from '../../ui/text/format'
import { type AppGroups, appGroups, type ConnectedApp } from './app-groups'
import { AppMenu } from './app-menu'
import { appLinkId, AppTable, DETAIL_ID } from './app-table'
import { AddClient, ChooseApp } from './connection/choose-app'
import { ConnectDialog } from './connection/connect-dialog'
import { ConnectionSection } from './connection/connection-section'
import { GatewayBanner } from './gateway-banner'
import { clientName, lastSeen } from './messages'
import { PermissionsSection } from './permissions-section'
import { ToolsSection } from './tools-section'
import { useProfile } from './use-profile'

const TITLE = 'Apps'
const CRUMBS = [{ label: TITLE, href: '/apps' }]

type Over =
  | { readonly kind: 'choose' | 'folders' }
  | { readonly kind: 'other'; readonly name?: string | undefined }
  | { readonly kind: 'connect'; readonly row: HostRow }

/** Gives the focus to the row of the app that was open, where the closed app had it. */
function useReturnToRow(agentId: string | undefined): void {
  const before = useRef(agentId)
  useEffect(() => {
    const last = before.current
    before.current = agentId
    if (agentId !== undefined || last === undefined) return
    if (document.activeElement === document.body || document.activeElement?.id === 'main')
      document.getElementById(appLinkId(last))?.focus()
  }, [agentId])
}

function Overlay({
  over,
  groups,
  onShow,
  onClose,
}: {
  readonly over: Over
  readonly groups: AppGroups
  readonly onShow: (over: Over) => void
  readonly onClose: () => void
}): JSX.Element {
  const folders = useApp(({ app }) => app?.hosts.folders) ?? []
  const canPick = useApp(({ app }) => app?.info.canPickPath ?? false)
  const wayBack = useWayBack()
  switch (over.kind) {
    case 'choose':
      return (
        <ChooseApp
          found={groups.available}
          away={groups.away}
          onConnect={(row) => onShow({ kind: 'connect', row })}
          onOther={(name) => onShow({ kind: 'other', name })}
          onClose={onClose}
        />
      )
    case 'other':
      return <AddClient name={over.name} onClose={onClose} />
    case 'folders':
      return (
        <FoldersDialog
          title="Project folders"
          description="Some apps also read a file in the open project, such as .mcp.json. Patchbay looks for these files only in the folders listed here."
          placeholder="/home/you/projects/thing"
          folders={folders}
          pickFolder={canPick ? () => pickPath('folder') : undefined}
          onSave={(wanted) => saveFolders(folders, wanted).then(() => undefined, refusalWords)}
          onClose={onClose}
        />
      )
    case 'connect':
      return (
        <ConnectDialog
          row={over.row}
          onClose={onClose}
          onCloseAutoFocus={(event) => {
            wayBack(event)
            // A connected app moves to another group, and its button is gone.
            if (!event.defaultPrevented) focusAfter(event, over.row.rowId)
          }}
        />
      )
  }
}

function List(props: {
  readonly state: AgentsState
  readonly groups: AppGroups
  readonly hosts: HostsState
  readonly openId: string | undefined
  readonly onOpen: (over: Over) => void
}): JSX.Element {
  const { state, groups, hosts, openId, onOpen } = props
  return (
    <section
      className="apps-list page-body scroll"
      data-page-body
      tabIndex={0}
      aria-label="All apps"
    >
      <GatewayBanner status={state.gateway} />
      <AppTable
        groups={groups}
        isRead={hosts.isRead}
        openId={openId}
        onConnect={(row) => onOpen({ kind: 'connect', row })}
        onConnectOther={() => onOpen({ kind: 'other' })}
        onFolders={() => onOpen({ kind: 'folders' })}
      />
      {groups.away.length > 0 && (
        <details className="apps-away faint small">
          <summary>Supported apps not found here</summary>
          <p className="measure pretty">{`${formatList(groups.away)}.`}</p>
        </details>
      )}
    </section>
  )
}

/** The open app: beside the list, or in its place where the window is too narrow for both. */
function Open({
  app,
  isWide,
}: {
  readonly app: ConnectedApp | undefined
  readonly isWide: boolean
}): JSX.Element {
  const [, navigate] = useLocation()
  return (
    <aside
      className={clsx('app-aside col', isWide && 'aside subtle')}
      aria-label={app?.agent.name ?? 'App'}
    >
      {app ? (
        <AppDetail
          key={app.agent.agentId}
          app={app}
          onClose={isWide ? () => navigate('/apps') : undefined}
        />
      ) : (
        <BlankState
          art="open"
          title="App not found"
          message="This app was removed, or the address is wrong."
          action={<ButtonLink href="/apps">Show all apps</ButtonLink>}
        />
      )}
    </aside>
  )
}

/** The open dialog; `?add` in the address opens the list of apps to connect. */
function useOverlay(): [Over | null, (over: Over | null) => void] {
  const [over, setOver] = useState<Over | null>(null)
  const [place, navigate] = useLocation()
  const wantsOther = new URLSearchParams(useSearch()).has('add')
  if (wantsOther && over === null) setOver({ kind: 'choose' })
  // Going back to the page must not open the dialog again.
  useEffect(() => {
    if (wantsOther) navigate(place, { replace: true })
  }, [wantsOther, navigate, place])
  return [over, setOver]
}

/** Every app: the connected ones, those on this computer, and any other client; with `agentId`, that app is open. */
export function AppsPage({ agentId }: { readonly agentId?: string | undefined }): JSX.Element {
  const state = useAgents()
  const hosts = useApp(({ app }) => app?.hosts)
  const isWide = useMediaQuery('(width >= 80rem)')
  const [over, setOver] = useOverlay()
  useEffect(() => void attempt(call('hosts.look', {})), [])
  useReturnToRow(agentId)
  if (!state || !hosts)
    return (
      <Page title={TITLE}>
        <Skeleton label="Reading apps" />
      </Page>
    )
  const groups = appGroups(state.agents, hosts)
  const open = groups.connected.find(({ agent }) => agent.agentId === agentId)
  const isAlone = agentId !== undefined && !isWide
  return (
    <Page
      layout="columns"
      title={isAlone ? (open?.agent.name ?? 'App') : TITLE}
      crumbs={isAlone ? CRUMBS : []}
      actions={
        !isAlone && (
          <Button icon={Plus} onClick={() => setOver({ kind: 'choose' })}>
            Connect app
          </Button>
        )
      }
    >
      <div className={clsx('fill stack', agentId !== undefined && isWide && 'apps-columns')}>
        {!isAlone && <List {...{ state, groups, hosts }} openId={agentId} onOpen={setOver} />}
        {agentId !== undefined && <Open app={open} isWide={isWide} />}
      </div>
      {over && (
        <Overlay over={over} groups={groups} onShow={setOver} onClose={() => setOver(null)} />
      )}
    </Page>
  )
}

/** The client and when it was last connected: "cursor-vscode 2.1.36, last seen 2 min ago". */
function seenText(agent: AgentView, now: number): string {
  const client = clientName(agent)
  const seen = lastSeen(agent, now) ?? 'before this session'
  if (client === undefined) return `Last seen: ${seen}`
  return agent.connections > 0 ? `${client}, connected` : `${client}, last seen ${seen}`
}

/** One app: its tools, permissions, and connection. */
function AppDetail({
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
        data-page-body
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

/** Adds and removes project folders until they are the wanted ones. */
async function saveFolders(now: readonly string[], wanted: readonly string[]): Promise<void> {
  for (const path of now) if (!wanted.includes(path)) await call('hosts.removeFolder', { path })
  for (const path of wanted) if (!now.includes(path)) await call('hosts.addFolder', { path })
}
