import { useEffect, useMemo } from 'react'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { pollWhileSeen } from '../../ui/layout/poll-while-seen'
import { type ListRow, rowsOf } from './list-rows'
import { type MessageLogState, useMessageLog } from './message-store'
import { shownEntries } from './message-view'
import { findText, readMessages } from './read-messages'

/** How long after each look the next one begins, in ms. */
const EVERY_MS = 300
/** How long somebody pauses while typing until that is looked for, in ms. */
const TYPING_MS = 150

/** The exchange with a server, and what of it is shown. */
export type ShownMessages = {
  readonly known: MessageLogState
  readonly shown: readonly MessageEntry[]
  readonly rows: readonly ListRow[]
}

/** The messages of a server, live while the page is seen. */
export function useMessages(installationId: string): ShownMessages {
  const known = useMessageLog(installationId)
  const { entries, view, found } = known
  useEffect(
    () => pollWhileSeen(document, EVERY_MS, () => readMessages(installationId)),
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
