import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'

import { RunnerName } from '../../../src-shared/domain/runner-name'
import { call, toErrorShape } from '../../ipc/call'
import { useCatalog } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { useRunners } from './entry/machine'
import { useCatalogView } from './filters/catalog-view-store'
import { recentTo, toFilter } from './filters/filter-choices'
import { FoundList, type FoundServers, type ListQuestion } from './list/found-servers'

/** Names this window among those that search at the same time. */
const WINDOW = crypto.randomUUID()
const HOUR_MS = 3_600_000
const NONE: readonly never[] = []

/** It stays while other screens are open: whoever comes back sees it at once, and what changed as soon as it was asked for. */
const list = new FoundList(
  (query, lane) => call('catalog.query', { ...query, lane: `${WINDOW} ${lane}` }),
  toErrorShape,
)

function useQuestion(): ListQuestion {
  const { query, sort, choices } = useCatalogView()
  const runners = useRunners()
  const { favourites = NONE, viewed = NONE } = useCatalog() ?? {}
  const now = useNow(HOUR_MS)
  // Other marks are another question only where the list is of them.
  const marks =
    choices.mine === 'favourites' ? favourites : choices.mine === 'viewed' ? viewed : NONE
  return useMemo(() => {
    // Any runner may be there while nobody knows.
    const here = runners ?? RunnerName.options
    const place = { runners: here, favourites: marks, viewed: marks, now }
    return {
      text: query.slice(0, 1_000),
      sort,
      filter: toFilter(choices, place),
      runnersHere: [...here],
      recent: recentTo(now),
    }
  }, [query, sort, choices, runners, marks, now])
}

/** What the view asks for, as far as it is known; asked again when the catalog changes. */
export function useFoundServers(): {
  readonly found: FoundServers
  readonly need: (from: number, to: number) => void
  readonly retry: () => void
} {
  const question = useQuestion()
  const edition = useCatalog()?.edition
  const [round, setRound] = useState(0)
  useEffect(() => {
    void list.show(question)
  }, [question, edition, round])
  const found = useSyncExternalStore(list.subscribe, list.snapshot)
  return useMemo(
    () => ({
      found,
      need: (from: number, to: number) => list.need(from, to),
      retry: () => setRound((before) => before + 1),
    }),
    [found],
  )
}
