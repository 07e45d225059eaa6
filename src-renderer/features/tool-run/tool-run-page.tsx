import './tool-run.css'

import { type JSX, useEffect, useId, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { NoServer } from '../../components/server/no-servers'
import { StatusBadge } from '../../components/status/status-badge'
import type { ToolRunKind } from '../../components/tool/tool-places'
import { useCapabilities } from '../../components/tool/use-capabilities'
import { ToolRunFrame } from '../../components/tool-run/tool-run-frame'
import { serverCrumbs } from '../../frame/loaded-page'
import { call, toErrorShape } from '../../ipc/call'
import { useServer } from '../../stores/app-store'
import { useUpdates } from '../../stores/resource-updates'
import { SwitchField } from '../../ui/fields/field'
import { Page } from '../../ui/layout/page'
import { Tag } from '../../ui/marks/tag'
import { formatTime } from '../../ui/text/format'
import { PlainText } from '../../ui/text/plain-text'
import { problemWords } from '../../ui/text/problem-messages'
import { shortName, shortText } from '../../ui/text/visible-text'
import { TryPrompt } from './prompt-run'
import { TryTemplate } from './template-run'
import { TryTool } from './tool-run'

const TAB = {
  tool: 'tools',
  resource: 'resources',
  template: 'resources',
  prompt: 'prompts',
} as const
const TAB_LABEL = { tools: 'Tools', resources: 'Resources', prompts: 'Prompts' } as const

const TRY = {
  tool: TryTool,
  resource: TryResource,
  template: TryTemplate,
  prompt: TryPrompt,
} as const

/** The page on which one thing of a server is tried. Loaded when it is first opened. */
export function ToolRunPage(props: {
  readonly installationId: string
  readonly kind: ToolRunKind
  readonly name: string
}): JSX.Element {
  const { installationId, kind, name } = props
  const server = useServer(installationId)
  if (!server) return <NoServer title="Try it" />
  const tab = TAB[kind]
  const Try = TRY[kind]
  const crumbs = [
    ...serverCrumbs(installationId, server.name),
    { label: TAB_LABEL[tab], href: `/servers/${installationId}/${tab}` },
  ]
  return (
    <Page
      title={shortText(name)}
      crumbs={crumbs}
      meta={<StatusBadge status={server.status.kind} />}
    >
      <Try key={JSON.stringify([installationId, kind, name])} server={server} name={name} />
    </Page>
  )
}

function About(props: { readonly server: ServerView; readonly uri: string }): JSX.Element | null {
  const { server, uri } = props
  const { value: capabilities } = useCapabilities(server)
  const listed = capabilities?.resources.find((one) => one.uri === uri)
  if (!listed) return null
  const { name, title, description, mimeType } = listed
  return (
    <div className="grid min-w-0 gap-3">
      <p className="font-medium text-foreground">
        {shortName(title ?? name)} {mimeType !== undefined && <Tag>{shortText(mimeType)}</Tag>}
      </p>
      {description !== undefined && <PlainText text={description} />}
    </div>
  )
}

function changedWords({ isOn, updates }: ReturnType<typeof useWatch>, refreshes: boolean): string {
  if (!isOn || updates === undefined) return ''
  const when = `Changed at ${formatTime(updates.lastAt)}.`
  return refreshes ? when : `${when} Read it again to see the latest version.`
}

function TryResource(props: { readonly server: ServerView; readonly name: string }): JSX.Element {
  const { server, name: uri } = props
  const watch = useWatch(server.installationId, uri)
  const [refreshes, setRefreshes] = useState(false)
  const round = refreshes ? watch.updates?.count : undefined
  const id = useId()
  const { isOn, setOn, problem } = watch
  return (
    <div className="grid max-w-page min-w-0 gap-3 *:min-w-0">
      <About server={server} uri={uri} />
      <ToolRunFrame
        server={server}
        verb="Read"
        method="resources/read"
        target={uri}
        makeRequest={() => ({ method: 'resources/read', params: { uri } })}
        round={round}
      >
        <div className="grid min-w-0 gap-3">
          <SwitchField
            id={`${id}-watch`}
            label="Watch for changes"
            hint="The server reports changes while this page is open."
            problem={problem}
            checked={isOn}
            onCheckedChange={setOn}
          />
          {isOn && (
            <SwitchField
              id={`${id}-again`}
              label="Refresh automatically"
              checked={refreshes}
              onCheckedChange={setRefreshes}
            />
          )}
          <p role="status" aria-label="Changes" className="text-muted">
            {changedWords(watch, refreshes)}
          </p>
        </div>
      </ToolRunFrame>
    </div>
  )
}

function useWatch(installationId: string, uri: string) {
  const [isOn, setIsOn] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [before, setBefore] = useState(0)
  const received = useUpdates(installationId, uri)
  useEffect(() => {
    if (!isOn) return undefined
    let isOver = false
    const fail = (thrown: unknown): void => {
      if (isOver) return
      setProblem(problemWords(toErrorShape(thrown)))
      setIsOn(false)
    }
    const asked = { installationId, uri, watcherId: crypto.randomUUID() }
    call('toolRun.watch', { ...asked, isWanted: true }).catch(fail)
    return () => {
      isOver = true
      call('toolRun.watch', { ...asked, isWanted: false }).catch(() => {
        // The server is gone, and with it what was watched.
      })
    }
  }, [isOn, installationId, uri])
  const setOn = (isWanted: boolean): void => {
    setProblem(undefined)
    setBefore(received?.count ?? 0)
    setIsOn(isWanted)
  }
  const isNew = isOn && received !== undefined && received.count > before
  return {
    ...{ isOn, setOn },
    /** Why the server does not tell of changes. */
    problem,
    /** Since it was switched on. */
    updates: isNew ? received : undefined,
  }
}
