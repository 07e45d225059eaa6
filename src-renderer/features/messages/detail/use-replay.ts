import { useCallback, useState } from 'react'

import type { MessageRef } from '../../../../src-shared/domain/agents/message-log'
import type { ToolRun } from '../../../../src-shared/domain/agents/tool-run'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'

/** A request that is sent once more. */
export type Replay =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly toolRunId: string }
  | { readonly kind: 'over'; readonly toolRun: ToolRun }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** Sends a request once more; `cancel` calls it off, and its answer then says so. */
export function useReplay(): {
  readonly replay: Replay
  readonly start: (ref: MessageRef) => Promise<void>
  readonly cancel: () => void
} {
  const [replay, setReplay] = useState<Replay>({ kind: 'none' })
  const start = useCallback(async (ref: MessageRef): Promise<void> => {
    const toolRunId = crypto.randomUUID()
    setReplay({ kind: 'running', toolRunId })
    try {
      setReplay({ kind: 'over', toolRun: await call('messages.replay', { ...ref, toolRunId }) })
    } catch (thrown) {
      setReplay({ kind: 'failed', problem: toErrorShape(thrown) })
    }
  }, [])
  const cancel = (): void => {
    if (replay.kind !== 'running') return
    call('toolRun.cancel', { toolRunId: replay.toolRunId }).catch(tellFailure)
  }
  return { replay, start, cancel }
}
