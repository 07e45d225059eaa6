import './view.css'

import type { JSX } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { OpenedView, ViewInfo } from '../../../../src-shared/domain/agents/view'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../../ipc/call'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { ViewConsent } from './view-consent'
import { ViewFrame } from './view-frame'

type Stage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'consent'; readonly info: ViewInfo }
  | { readonly kind: 'open'; readonly info: ViewInfo; readonly opened: OpenedView }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

function failed(thrown: unknown): Stage {
  return { kind: 'failed', problem: toErrorShape(thrown) }
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
  const attempt = (act: () => Promise<Stage>): void => {
    setStage({ kind: 'reading' })
    void act().catch(failed).then(setStage)
  }
  const open = async (info: ViewInfo, remembers: boolean): Promise<Stage> => {
    const { domains } = info
    const opened = await call('view.open', { installationId, name, domains, remembers })
    return { kind: 'open', info, opened }
  }
  const read = async (): Promise<Stage> => {
    const info = await call('view.read', { installationId, name })
    return info.isAllowed ? open(info, false) : { kind: 'consent', info }
  }
  const begin = useEffectEvent(() => read().catch(failed))
  useEffect(() => void begin().then(setStage), [])
  switch (stage.kind) {
    case 'reading':
      return <Skeleton label="Loading view" rows={2} />
    case 'failed':
      return (
        <ProblemState
          title="Can’t show this view"
          problem={stage.problem}
          onRetry={() => attempt(read)}
        />
      )
    case 'consent':
      return (
        <ViewConsent
          info={stage.info}
          onShow={(remembers) => attempt(() => open(stage.info, remembers))}
        />
      )
    case 'open':
      return (
        <ViewFrame
          opened={stage.opened}
          toolRun={toolRun}
          domains={stage.info.domains}
          onClose={onClose}
        />
      )
  }
}
