import { useState } from 'react'

import type { RequestInput, RequestOutput } from '../../../src-shared/ipc/contract'
import { useRequest } from '../../ipc/use-request'
import { useServers } from '../../stores/app-store'

/**
 * What main tells of the past, asked again whenever the state of a server becomes another; nothing where it cannot be
 * told now: what needs a user stands above all the same. The second part forgets it.
 */
export function usePast<C extends 'history.failures' | 'history.recoveries'>(
  channel: C,
): readonly [past: RequestOutput<C>, forget: () => void] {
  const states = useServers()
    .map(
      ({ installationId, status, statusSince }) =>
        `${installationId} ${status.kind} ${statusSince}`,
    )
    .join()
  const { value, problem } = useRequest(channel, {} as RequestInput<C>, { state: [states] })
  const [forgotten, setForgotten] = useState<typeof value>()
  // All of it is over: what cannot be told now can wait.
  const isNothing = value === undefined || problem !== undefined || value === forgotten
  return [isNothing ? ([] as unknown as RequestOutput<C>) : value, () => setForgotten(value)]
}
