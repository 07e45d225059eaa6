import { useEffect, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { FiguresRange, ServerFigures } from '../../../src-shared/domain/running/figures'
import { call, toErrorShape } from '../../ipc/call'
import { pollWhileSeen } from '../../ui/layout/poll-while-seen'

/** How often figures are read while they are looked at, in ms. */
const EVERY_MS = 5_000

/** The newest figures, and why they could not be renewed; `of` is the range they are of. */
export type ReadFigures = {
  readonly value?: ServerFigures
  readonly of?: FiguresRange
  readonly problem?: AppErrorShape
}

/** Reads the figures of a server now and again while the window is seen; `again` reads at once. */
export function useFigures(
  installationId: string,
  range: FiguresRange,
): { readonly read: ReadFigures; readonly again: () => void } {
  const [read, setRead] = useState<ReadFigures>({})
  const [round, setRound] = useState(0)

  useEffect(() => {
    const line = { isOver: false }
    const look = async (): Promise<void> => {
      try {
        const value = await call('figures.read', { installationId, range })
        if (!line.isOver) setRead({ value, of: range })
      } catch (thrown) {
        if (!line.isOver) setRead((before) => ({ ...before, problem: toErrorShape(thrown) }))
      }
    }
    const stop = pollWhileSeen(document, EVERY_MS, look)
    return () => {
      line.isOver = true
      stop()
    }
  }, [installationId, range, round])

  return { read, again: () => setRound((before) => before + 1) }
}
