import { useEffect, useState } from 'react'

import type { Recovery } from '../../../src-shared/domain/running/history'
import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { useServers } from '../../stores/app-store'

/** What recovered by itself since the person was last done with it. */
export type Recoveries = { readonly found: readonly Recovery[]; readonly dismiss: () => void }

/** What recovered, read again whenever the state of a server becomes another; and how to be done with it. */
export function useRecoveries(): Recoveries {
  const [found, setFound] = useState<readonly Recovery[]>([])
  const states = useServers()
    .map(
      ({ installationId, status, statusSince }) =>
        `${installationId} ${status.kind} ${statusSince}`,
    )
    .join()
  useEffect(() => {
    const line = { isOver: false }
    const look = async (): Promise<void> => {
      try {
        const recovered = await call('history.recoveries', {})
        if (!line.isOver) setFound(recovered)
      } catch {
        // All of it is well again: what cannot be told now can wait.
        if (!line.isOver) setFound([])
      }
    }
    void look()
    return () => {
      line.isOver = true
    }
  }, [states])
  const dismiss = (): void => {
    setFound([])
    call('history.markLooked', {}).catch(tellFailure)
  }
  return { found, dismiss }
}
