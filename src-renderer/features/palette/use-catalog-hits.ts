import { Library } from 'lucide-react'

import type { ListedServer } from '../../../src-shared/domain/catalog/catalog-query'
import { useRequest } from '../../ipc/use-request'
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
  const input = text === '' ? undefined : { text, limit: MOST, lane: LANE }
  const { value, problem, loaded } = useRequest('catalog.query', input, { restMs: REST_MS })
  if (text === '') return { hits: [], isLooking: false }
  // The catalog tells on its own page what is wrong with it; the rest of the list stands without it.
  const found = problem ? [] : (value?.servers ?? [])
  return {
    hits: found.map((listed) => hitOf(listed, navigate)),
    isLooking: loaded.kind === 'loading',
  }
}
