import { useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { FiguresRange, ServerFigures } from '../../../src-shared/domain/running/figures'
import { useRequest } from '../../ipc/use-request'

/** How often figures are read while they are looked at, in ms. */
const EVERY_MS = 5_000

/** The newest figures, and why they could not be renewed; `of` is the range they are of. */
export type ReadFigures = {
  readonly value: ServerFigures | undefined
  readonly of: FiguresRange
  readonly problem: AppErrorShape | undefined
}

/** Reads the figures of a server now and again while the window is seen; `again` reads at once. */
export function useFigures(
  installationId: string,
  range: FiguresRange,
): { readonly read: ReadFigures; readonly again: () => void } {
  const { value, isOfBefore, problem, retry } = useRequest(
    'figures.read',
    { installationId, range },
    { everyMs: EVERY_MS },
  )
  const [of, setOf] = useState(range)
  if (!isOfBefore && of !== range) setOf(range)
  return { read: { value, of, problem }, again: retry }
}
