import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'

import { changeList, setCatalogView } from './filters/catalog-view-store'
import { NO_CHOICES } from './filters/filter-choices'

/** Shows the server that the address asks for (`?find=TEXT&source=ID&name=NAME`), once: from there on one looks around. */
export function useServerFromAddress(): void {
  const search = useSearch()
  const [, navigate] = useLocation()
  useEffect(() => {
    const asked = new URLSearchParams(search)
    const query = asked.get('find')
    const sourceId = asked.get('source')
    const name = asked.get('name')
    if (query === null || sourceId === null || name === null) return
    changeList({ query, choices: NO_CHOICES })
    setCatalogView({ selected: { sourceId, name } })
    navigate('/catalog', { replace: true })
  }, [search, navigate])
}
