import { useCallback, useEffect, useState } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { call, toErrorShape } from '../../ipc/call'

/** The live search of the registry; `idle` while the query is too short to ask. */
export type RegistrySearch =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly entries: readonly CatalogEntry[]; readonly more: boolean }
  | { readonly kind: 'failed'; readonly problem: AppErrorShape }

const DEBOUNCE_MS = 300
const MIN_LETTERS = 2

/** Asks the registry once the typing rests; only the answer to the newest query counts. */
export function useRegistrySearch(query: string): {
  readonly search: RegistrySearch
  readonly retry: () => void
} {
  const asked = query.trim()
  const [round, setRound] = useState(0)
  const [answer, setAnswer] = useState<{ of: string; search: RegistrySearch } | null>(null)
  const question = `${round} ${asked}`

  useEffect(() => {
    if (asked.length < MIN_LETTERS) return
    let isCurrent = true
    const settle = (search: RegistrySearch): void => {
      if (isCurrent) setAnswer({ of: question, search })
    }
    const timer = setTimeout(() => {
      call('catalog.search', { query: asked.slice(0, 200) }).then(
        ({ entries, more }) => settle({ kind: 'found', entries, more }),
        (thrown: unknown) => settle({ kind: 'failed', problem: toErrorShape(thrown) }),
      )
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [asked, question])

  const retry = useCallback(() => setRound((before) => before + 1), [])
  if (asked.length < MIN_LETTERS) return { search: { kind: 'idle' }, retry }
  return { search: answer?.of === question ? answer.search : { kind: 'searching' }, retry }
}
