import { useEffect, useState } from 'react'

import { useServers } from '../../stores/app-store'

/**
 * What `read` tells of the past, asked again whenever the state of a server becomes another; nothing where it cannot be
 * told now: what needs a person stands above all the same. The second part forgets it.
 */
export function usePast<T>(
  /** The same function each time. */
  read: () => Promise<readonly T[]>,
): readonly [past: readonly T[], forget: () => void] {
  const [past, setPast] = useState<readonly T[]>([])
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
        const found = await read()
        if (!line.isOver) setPast(found)
      } catch {
        // All of it is over: what cannot be told now can wait.
        if (!line.isOver) setPast([])
      }
    }
    void look()
    return () => {
      line.isOver = true
    }
  }, [read, states])
  return [past, () => setPast([])]
}
