import { useEffect, useMemo } from 'react'

import type { TrafficEntry } from '../../../src-shared/domain/agents/traffic'
import { pollWhileSeen } from '../../ui/layout/poll-while-seen'
import { findText, lookAtTraffic } from './read-traffic'
import { rowsOf, type TrafficRow } from './traffic-rows'
import { type ServerTraffic, useServerTraffic } from './traffic-store'
import { shownEntries } from './traffic-view'

/** How long after each look the next one begins, in ms. */
const EVERY_MS = 300
/** How long somebody pauses while typing until that is looked for, in ms. */
const TYPING_MS = 150

/** The exchange with a server, and what of it is shown. */
export type ShownTraffic = {
  readonly known: ServerTraffic
  readonly shown: readonly TrafficEntry[]
  readonly rows: readonly TrafficRow[]
}

/** The messages of a server, live while the page is seen. */
export function useTraffic(installationId: string): ShownTraffic {
  const known = useServerTraffic(installationId)
  const { entries, view, found } = known
  useEffect(
    () => pollWhileSeen(document, EVERY_MS, () => lookAtTraffic(installationId)),
    [installationId],
  )
  useEffect(() => {
    const timer = setTimeout(() => void findText(installationId), TYPING_MS)
    return () => clearTimeout(timer)
  }, [installationId, view.text])
  const shown = useMemo(() => shownEntries(entries, view, found), [entries, view, found])
  const rows = useMemo(() => rowsOf(shown, entries), [shown, entries])
  return { known, shown, rows }
}
