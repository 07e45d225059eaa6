import './apps.css'

import clsx from 'clsx'
import { Ellipsis, KeyRound, PenLine, Plus, Trash2, X } from 'lucide-react'
import { type JSX, useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { type HostRow } from '../../components/app/host-rows'
import { useAgents } from '../../components/app/use-connecting'
import { SecretDialog } from '../../components/secret/secret-dialogs'
import { call } from '../../ipc/call'
import { attempt, errorText } from '../../ipc/show-failure'
import { useApp, useNow } from '../../stores/app-store'
import { usePickPath } from '../../stores/pick-path'
import { Button, ButtonLink, IconButton } from '../../ui/controls/button'
import { Menu, MenuAction, MenuSeparator } from '../../ui/controls/menu'
import { focusAfter, useRestoredFocus } from '../../ui/focus/restore-focus'
import { BlankState, Page, ScrollRegion, Skeleton } from '../../ui/layout/page'
import { useMediaQuery } from '../../ui/layout/use-media-query'
import { Tile } from '../../ui/marks/tile'
import { ConfirmDialog, type Outcome } from '../../ui/overlays/dialog'
import { FoldersDialog } from '../../ui/overlays/folders-dialog'
import { showToast } from '../../ui/overlays/toast'
import { formatList } from '../../ui/text/format'
import { type AppGroups, appGroups, type ConnectedApp } from './app-groups'
import { appLinkId, AppTable, DETAIL_ID, scanForApps } from './app-table'
import { ConnectDialog } from './connection/connect-dialog'
import { AddClient, APP_NAME, ChooseApp, ConnectionSection } from './connection/connection-section'
import { KeyDialog } from './connection/snippet-view'
import { GatewayBanner } from './gateway-banner'
import { clientName, lastSeen } from './messages'
import { PermissionsSection } from './permissions-section'
import { ToolsSection } from './tools-section'
import { useProfile } from './use-profile'

const TITLE = 'Apps'
const CRUMBS = [{ label: TITLE, href: '/apps' }]

type OpenOverlay =
  | { readonly kind: 'choose' | 'folders' }
  | { readonly kind: 'other'; readonly name?: string | undefined }
  | { readonly kind: 'connect'; readonly row: HostRow }

/** Returns the focus to the row of the app that was open, if the closed app had it. */
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

function Overlay(props: {
  readonly over: OpenOverlay
  readonly groups: AppGroups
  readonly onShow: (over: OpenOverlay) => void
  readonly onClose: () => void
}): JSX.Element {
  const { over: overlay, groups, onShow, onClose } = props
  const folders = useApp(({ app }) => app?.hosts.folders) ?? []
  const pickFolder = usePickPath('folder')
  const restoredFocus = useRestoredFocus()
  switch (overlay.kind) {
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
      return <AddClient name={overlay.name} onClose={onClose} />
    case 'folders':
      return (
        <FoldersDialog
          title="Project folders"
          description="Some apps also read a file in the open project, such as .mcp.json. Patchbay looks for these files only in the folders listed here."
          placeholder="/home/you/projects/thing"
          folders={folders}
          pickFolder={pickFolder}
          onSave={(wanted) => saveFolders(folders, wanted).then(() => undefined, errorText)}
          onClose={onClose}
        />
      )
    case 'connect':
      return (
        <ConnectDialog
          row={overlay.row}
          onClose={onClose}
          onCloseAutoFocus={(event) => {
            restoredFocus(event)
            // A connected app moves to another group, and its button disappears.
            if (!event.defaultPrevented) focusAfter(event, overlay.row.rowId)
          }}
        />
      )
  }
}

/** The open app: next to the list, or instead of it in a narrow window. */
function Open(props: {
  readonly app: ConnectedApp | undefined
  readonly isWide: boolean
}): JSX.Element {
  const { app, isWide } = props
  const [, navigate] = useLocation()
  return (
    <aside
      className={clsx('flex min-h-0 flex-1 flex-col', isWide && 'aside bg-subtle')}
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

/** Returns the open dialog; `?add` in the address opens the list of apps to connect. */
function useOverlay(): [OpenOverlay | null, (over: OpenOverlay | null) => void] {
  const [overlay, setOverlay] = useState<OpenOverlay | null>(null)
  const [place, navigate] = useLocation()
  const opensAddDialog = new URLSearchParams(useSearch()).has('add')
  if (opensAddDialog && overlay === null) setOverlay({ kind: 'choose' })
  // Going back to the page must not open the dialog again.
  useEffect(() => {
    if (opensAddDialog) navigate(place, { replace: true })
  }, [opensAddDialog, navigate, place])
  return [overlay, setOverlay]
}

/** All apps: connected ones, those on this computer, and any other client; `agentId` is the open one. */
export function AppsPage({ agentId }: { readonly agentId?: string | undefined }): JSX.Element {
  const state = useAgents()
  const hosts = useApp(({ app }) => app?.hosts)
  const isWide = useMediaQuery('(width >= 80rem)')
  const [overlay, setOverlay] = useOverlay()
  useEffect(scanForApps, [])
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
          <Button icon={Plus} onClick={() => setOverlay({ kind: 'choose' })}>
            Connect app
          </Button>
        )
      }
    >
      <div
        className={clsx(
          'grid min-h-0 flex-1',
          agentId !== undefined && isWide && 'grid-cols-[minmax(0,1fr)_clamp(21rem,30vw,25rem)]',
        )}
      >
        {!isAlone && (
          <section
            className="apps-list page-body scroll @container min-h-0 px-2 pt-2 pb-6"
            data-page-body
            tabIndex={0}
            aria-label="All apps"
          >
            <GatewayBanner status={state.gateway} />
            <AppTable
              groups={groups}
              isRead={hosts.isRead}
              openId={agentId}
              onConnect={(row) => setOverlay({ kind: 'connect', row })}
              onConnectOther={() => setOverlay({ kind: 'other' })}
              onFolders={() => setOverlay({ kind: 'folders' })}
            />
            {groups.away.length > 0 && (
              <details className="px-3 pt-4 text-small text-faint">
                <summary>Supported apps not found here</summary>
                <p className="max-w-text text-pretty">{`${formatList(groups.away)}.`}</p>
              </details>
            )}
          </section>
        )}
        {agentId !== undefined && <Open app={open} isWide={isWide} />}
      </div>
      {overlay && (
        <Overlay
          over={overlay}
          groups={groups}
          onShow={setOverlay}
          onClose={() => setOverlay(null)}
        />
      )}
    </Page>
  )
}

function lastSeenText(agent: AgentView, now: number): string {
  const client = clientName(agent)
  const seen = lastSeen(agent, now) ?? 'before this session'
  if (client === undefined) return `Last seen: ${seen}`
  return agent.connections > 0 ? `${client}, connected` : `${client}, last seen ${seen}`
}

function AppDetail(props: {
  readonly app: ConnectedApp
  /** Closes the app next to the list; undefined if the app has its own page, titled with its name. */
  readonly onClose: (() => void) | undefined
}): JSX.Element {
  const { app, onClose } = props
  const now = useNow(30_000)
  const editing = useProfile(app.agent)
  const { name } = app.agent
  const gateway = useAgents()?.gateway
  const isPanel = onClose !== undefined
  useEffect(() => {
    // A page of its own replaces the link that opened the app.
    if (!isPanel && document.activeElement === document.body)
      document.getElementById(DETAIL_ID)?.focus()
  }, [isPanel])
  return (
    <>
      <header className="flex flex-none items-center gap-3 border-b border-line p-3 ps-5">
        <Tile name={name} />
        <div className="min-w-0 flex-1">
          <h2 className={isPanel ? 'truncate text-title' : 'sr-only'}>{name}</h2>
          <p className="truncate text-small text-faint">{lastSeenText(app.agent, now)}</p>
        </div>
        <AppMenu app={app} />
        {isPanel && <IconButton icon={X} label="Close" shortcut="Esc" onClick={onClose} />}
      </header>
      <ScrollRegion
        id={DETAIL_ID}
        className="detail-body page-body min-h-0 flex-1 px-5 pt-4 pb-6"
        data-page-body
        label={`Settings of ${name}`}
      >
        <div className="mx-auto grid max-w-152 gap-4">
          {!isPanel && gateway && <GatewayBanner status={gateway} />}
          <ToolsSection app={app} editing={editing} />
          <PermissionsSection agent={app.agent} editing={editing} />
          <ConnectionSection app={app} />
        </div>
      </ScrollRegion>
    </>
  )
}

async function saveFolders(current: readonly string[], wanted: readonly string[]): Promise<void> {
  for (const path of current) if (!wanted.includes(path)) await call('hosts.removeFolder', { path })
  for (const path of wanted) if (!current.includes(path)) await call('hosts.addFolder', { path })
}

type MenuDialog =
  | { readonly kind: 'rename' | 'renew' | 'remove' }
  | { readonly kind: 'key'; readonly agentKey: string }

/** Menu of the actions on an app that its sections lack. */
function AppMenu({ app: { agent } }: { readonly app: ConnectedApp }): JSX.Element {
  const { agentId, name } = agent
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<MenuDialog | null>(null)
  const close = (): void => setDialog(null)
  const renew = async (): Promise<Outcome> => {
    const renewed = call('agent.renewKey', { agentId }).then(({ key }) =>
      setDialog({ kind: 'key', agentKey: key }),
    )
    return (await attempt(renewed)) === 'done' ? 'stays' : 'failed'
  }
  const remove = async (): Promise<void> => {
    await call('agent.remove', { agentId })
    showToast({ message: `${name} removed.` })
    navigate('/apps', { replace: true })
  }
  return (
    <>
      <Menu label="More actions" trigger={<IconButton label="More actions" icon={Ellipsis} />}>
        <MenuAction icon={PenLine} onSelect={() => setDialog({ kind: 'rename' })}>
          Rename
        </MenuAction>
        <MenuAction icon={KeyRound} onSelect={() => setDialog({ kind: 'renew' })}>
          Replace key
        </MenuAction>
        <MenuSeparator />
        <MenuAction danger icon={Trash2} onSelect={() => setDialog({ kind: 'remove' })}>
          Remove app
        </MenuAction>
      </Menu>
      {dialog?.kind === 'rename' && (
        <SecretDialog
          title={`Rename ${name}`}
          description="The key and the entry in the config file stay the same."
          confirmLabel="Rename"
          name={name}
          nameInput={APP_NAME}
          onConfirm={async (typed) => {
            if (typed.name !== name) await call('agent.rename', { agentId, name: typed.name })
          }}
          onClose={close}
        />
      )}
      {dialog?.kind === 'renew' && (
        <ConfirmDialog
          onClose={close}
          title={`Replace key of ${name}?`}
          description="The current key stops working and open connections close. Apps that connect through a command read the new key automatically. Apps that connect over HTTP need the new key."
          confirmLabel="Replace key"
          onConfirm={renew}
        />
      )}
      {dialog?.kind === 'remove' && (
        <ConfirmDialog
          onClose={close}
          title={`Remove ${name}?`}
          description="The key stops working. Patchbay deletes the tool choice and permissions, and keeps your servers and activity."
          confirmLabel={`Remove ${name}`}
          onConfirm={() => attempt(remove())}
        />
      )}
      {dialog?.kind === 'key' && (
        <KeyDialog
          agentId={agentId}
          agentKey={dialog.agentKey}
          title={`New key of ${name}`}
          onStored={close}
        />
      )}
    </>
  )
}
