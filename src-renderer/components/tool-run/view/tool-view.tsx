import './view.css'

import type { JSX } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'

import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { ViewInfo } from '../../../../src-shared/domain/installation/view'
import { call, toErrorShape } from '../../../ipc/call'
import { ProblemState } from '../../../ui/layout/problem-state'
import { Skeleton } from '../../../ui/layout/skeleton'
import { ViewConsent } from './view-consent'
import { ViewFrame } from './view-frame'

type Stage =
  | { readonly kind: 'reading' }
  | { readonly kind: 'consent'; readonly info: ViewInfo }
  | { readonly kind: 'shown'; readonly info: ViewInfo; readonly remembers: boolean }
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
