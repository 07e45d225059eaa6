import { Library } from 'lucide-react'
import { useEffect, useState } from 'react'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import { call } from '../../ipc/call'
import { shortText } from '../../ui/text/visible-text'
import type { Command } from './command'

/** The catalog is asked once the keys rest so long, in ms. */
const REST_MS = 80
const MOST = 6
const LANE = 'palette'

function hitOf(listed: ListedServer, navigate: (to: string) => void): Command {
  const { sourceId, name, title, publisher } = listed
  const asked = new URLSearchParams({ find: title ?? name, name, source: sourceId })
  return {
    id: `catalog ${sourceId} ${name}`,
    group: 'Catalog',
    title: shortText(title ?? name),
    where: shortText(publisher),
    icon: Library,
    run: () => navigate(`/catalog?${asked.toString()}`),
  }
}

/** What the catalog has for a text; the answer to an older text stays until that to the newest is there. */
export function useCatalogHits(
  text: string,
  navigate: (to: string) => void,
): { readonly hits: readonly Command[]; readonly isLooking: boolean } {
  const [found, setFound] = useState<{
    readonly of: string
    readonly servers: readonly ListedServer[]
  }>({ of: '', servers: [] })
  useEffect(() => {
    if (text === '') return undefined
    const over = { is: false }
    const show = (servers: readonly ListedServer[]): void => {
      if (!over.is) setFound({ of: text, servers })
    }
    const timer = setTimeout(() => {
      call('catalog.query', { text, limit: MOST, lane: LANE }).then(
        (page) => page && show(page.servers),
        // The catalog tells on its own page what is wrong with it; the rest of the list stands without it.
        () => show([]),
      )
    }, REST_MS)
    return () => {
      over.is = true
      clearTimeout(timer)
    }
  }, [text])
  if (text === '') return { hits: [], isLooking: false }
  return {
    hits: found.servers.map((listed) => hitOf(listed, navigate)),
    isLooking: found.of !== text,
  }
}
