import { type JSX, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import type { ServerView as Server } from '../../../src-shared/domain/state/app-state'
import { runActions } from '../../components/server/actions'
import { NoServer } from '../../components/server/no-servers'
import { ServerMenu } from '../../components/server/server-menu'
import { StatusBadge } from '../../components/status/status-badge'
import { useServer } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/segmented'
import { Tabs } from '../../ui/controls/tabs'
import { Page } from '../../ui/layout/page'
import { Tile } from '../../ui/marks/tile'
import { Notices } from './notices'
import { LOG_VIEWS, type LogView, SERVER_TABS, type ServerView, tabOf } from './server-views'

function countsOf({ counts }: Server): Readonly<Record<string, number | undefined>> {
  return {
    tools: counts.tools || undefined,
    resources: counts.resources + counts.resourceTemplates || undefined,
    prompts: counts.prompts || undefined,
  }
}

function RunButtons({ server }: { readonly server: Server }): readonly JSX.Element[] {
  const [, navigate] = useLocation()
  const actions = runActions(server)
  return actions.map(({ id, label, icon, run }) => (
    <Button
      key={id}
      icon={icon}
      variant={id === 'start' ? 'primary' : 'default'}
      onClick={() => run({ navigate, onRemove: () => undefined })}
    >
      {label}
    </Button>
  ))
}

/** Switches between the log, the messages and the history; stands in the bar of each, so that it is drawn again with every choice. */
function LogViewChoice(props: {
  readonly value: LogView
  readonly onChange: (value: LogView) => void
  /** Whether the choice before this one was made here. */
  readonly takesFocus: boolean
}): JSX.Element {
  const { value, onChange, takesFocus } = props
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }, [takesFocus])
  return (
    <div ref={box} className="me-2 flex-none">
      <Segmented label="Show" value={value} options={LOG_VIEWS} onValueChange={onChange} />
    </div>
  )
}

/** One server: its status and actions, one notice, and six tabs. */
export function ServerPage(props: {
  readonly installationId: string
  readonly view: ServerView
  /** The panel of a view; other features fill it. `lead` stands first in its bar, or above its content. */
  readonly renderView: (server: Server, lead: ReactNode) => ReactNode
}): JSX.Element {
  const { installationId, view, renderView } = props
  const [, navigate] = useLocation()
  const server = useServer(installationId)
  const [takesFocus, setTakesFocus] = useState(false)
  if (!server) return <NoServer title="Server" />
  const tab = tabOf(view)
  const counts = countsOf(server)
  const show = (next: string): void =>
    navigate(`/servers/${installationId}${next === 'overview' ? '' : `/${next}`}`, {
      replace: true,
    })
  const notices = <Notices server={server} />
  const logViews = LOG_VIEWS.find(({ value }) => value === view)
  return (
    <Page
      title={server.name}
      lead={<Tile name={server.name} />}
      meta={<StatusBadge status={server.status.kind} />}
      layout="tabs"
      actions={
        <>
          <RunButtons server={server} />
          <ServerMenu
            server={server}
            label="More actions"
            onRemoved={() => navigate('/servers', { replace: true })}
          />
        </>
      }
    >
      <Tabs
        label={server.name}
        value={tab}
        tabs={SERVER_TABS.map((one) => ({ ...one, count: counts[one.id] }))}
        onChange={(next) => {
          setTakesFocus(false)
          show(next === 'logs' ? 'log' : next)
        }}
      >
        {tab !== 'overview' && notices}
        {renderView(
          server,
          logViews ? (
            <LogViewChoice
              value={logViews.value}
              takesFocus={takesFocus}
              onChange={(next) => {
                setTakesFocus(true)
                show(next)
              }}
            />
          ) : (
            notices
          ),
        )}
      </Tabs>
    </Page>
  )
}
