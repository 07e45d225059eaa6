import './view.css'

import { type JSX, useEffect, useEffectEvent, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ViewInfo } from '../../../../src-shared/domain/installation/view'
import { call, toErrorShape } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { visibleText } from '../../../ui/text/visible-text'
import { ViewFrame } from './view-frame'

type Stage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'consent'; readonly info: ViewInfo }
  | { readonly kind: 'shown'; readonly info: ViewInfo; readonly remembers: boolean }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

function failed(thrown: unknown): Stage {
  return { kind: 'failed', problem: toErrorShape(thrown) }
}

const list = new Intl.ListFormat('en-US')

function loadsFrom({ domains }: ViewInfo): string {
  const sources = [...domains.resource, ...domains.connect, ...domains.frame]
  const hosts = [...new Set(sources.map((one) => one.replace(/^https:\/\//u, '')))]
  return hosts.length > 0
    ? `It can load from ${list.format(hosts)} and call this server’s tools.`
    : 'It loads nothing from the internet and can call this server’s tools.'
}

/** Says what a view loads before anything of it is drawn. */
function ViewConsent({
  info,
  onShow,
}: {
  readonly info: ViewInfo
  readonly onShow: (remembers: boolean) => void
}): JSX.Element {
  return (
    <section className="box stack gap-2 pad-3" aria-label="Show the view?">
      <p className="break pretty">
        {`This server can show an interactive view. ${visibleText(loadsFrom(info))}`}
      </p>
      {info.ignored.length > 0 && (
        <p className="soft break pretty">
          {`Ignored because they aren’t https or wss addresses of other computers: ${visibleText(info.ignored.join(', '))}`}
        </p>
      )}
      <div className="row wrap gap-2">
        <Button variant="primary" size="form" onClick={() => onShow(false)}>
          Show view
        </Button>
        <Button size="form" onClick={() => onShow(true)}>
          Always for this server
        </Button>
      </div>
    </section>
  )
}

/** The interactive page of a run's tool: asks first, then shows it. */
export function ToolView({
  toolRun,
  onClose,
}: {
  readonly toolRun: ToolRun
  readonly onClose: () => void
}): JSX.Element {
  const [stage, setStage] = useState<Stage>({ kind: 'reading' })
  const { installationId, request } = toolRun
  const name = String(request.params.name)
  const read = async (): Promise<Stage> => {
    const info = await call('view.read', { installationId, name })
    return info.isAllowed ? { kind: 'shown', info, remembers: false } : { kind: 'consent', info }
  }
  const begin = (): void => void read().catch(failed).then(setStage)
  const beginFirst = useEffectEvent(begin)
  useEffect(() => beginFirst(), [])
  const retry = (): void => {
    setStage({ kind: 'reading' })
    begin()
  }
  switch (stage.kind) {
    case 'reading':
      return <Skeleton label="Loading view" rows={2} />
    case 'failed':
      return <ProblemState title="Can’t show this view" problem={stage.problem} onRetry={retry} />
    case 'consent':
      return (
        <ViewConsent
          info={stage.info}
          onShow={(remembers) => setStage({ kind: 'shown', info: stage.info, remembers })}
        />
      )
    case 'shown':
      return (
        <ViewFrame
          view={{ toolRun, domains: stage.info.domains, remembers: stage.remembers }}
          onFailed={(thrown) => setStage(failed(thrown))}
          onClose={onClose}
        />
      )
  }
}
