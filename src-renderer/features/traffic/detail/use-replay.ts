import { useCallback, useState } from 'react'

import type { TrafficRef } from '../../../../src-shared/domain/agents/traffic'
import type { Trial } from '../../../../src-shared/domain/agents/trial'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import { call, toErrorShape } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'

/** A request that is sent once more. */
export type Replay =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly trialId: string }
  | { readonly kind: 'over'; readonly trial: Trial }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

/** Sends a request once more; `cancel` calls it off, and its answer then says so. */
export function useReplay(): {
  readonly replay: Replay
  readonly start: (ref: TrafficRef) => Promise<void>
  readonly cancel: () => void
} {
  const [replay, setReplay] = useState<Replay>({ kind: 'none' })
  const start = useCallback(async (ref: TrafficRef): Promise<void> => {
    const trialId = crypto.randomUUID()
    setReplay({ kind: 'running', trialId })
    try {
      setReplay({ kind: 'over', trial: await call('traffic.replay', { ...ref, trialId }) })
    } catch (thrown) {
      setReplay({ kind: 'failed', problem: toErrorShape(thrown) })
    }
  }, [])
  const cancel = (): void => {
    if (replay.kind !== 'running') return
    call('trial.cancel', { trialId: replay.trialId }).catch(tellFailure)
  }
  return { replay, start, cancel }
}
