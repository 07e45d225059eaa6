import { useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { MetricsRange, ServerMetrics } from '../../../src-shared/domain/running/metrics'
import { useRequest } from '../../ipc/use-request'

/** How often figures are read while they are looked at, in ms. */
const EVERY_MS = 5_000

/** The newest figures, and why they could not be renewed; `of` is the range they are of. */
export type MetricsState = {
  readonly value: ServerMetrics | undefined
  readonly of: MetricsRange
  readonly problem: AppErrorShape | undefined
}

/** Reads the figures of a server now and again while the window is seen; `again` reads at once. */
export function useMetrics(
  installationId: string,
  range: MetricsRange,
): { readonly read: MetricsState; readonly again: () => void } {
  const { value, isOfBefore, problem, retry } = useRequest(
    'metrics.read',
    { installationId, range },
    { everyMs: EVERY_MS },
  )
  const [of, setOf] = useState(range)
  if (!isOfBefore && of !== range) setOf(range)
  return { read: { value, of, problem }, again: retry }
}
