import type { CatalogDetail } from '../../../src-shared/domain/catalog/catalog-detail'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type {
  CatalogPage,
  CatalogQuery,
  ListedServer,
} from '../../../src-shared/domain/catalog/catalog-query'
import { PASTED_SOURCE } from '../../../src-shared/domain/catalog/listed-ref'
import { fold, hostLength, wordsOf } from '../text/words'
import { readEntry, readEntryHead } from './store/listed-entry'

/** A page of results that begins with pasted entries. With a filter, which is about registry entries, no pasted entry is shown. */
export async function searchWithPasted(
  query: CatalogQuery,
  pasted: readonly CatalogEntry[],
  search: (query: CatalogQuery) => Promise<CatalogPage | undefined>,
): Promise<CatalogPage | undefined> {
  const own = isFiltered(query) ? [] : pasted.map(toListed).filter(matcherOf(query.text))
  const { offset = 0, limit = 50 } = query
  const shown = own.slice(offset, offset + limit)
  const rest = {
    offset: Math.max(0, offset - own.length),
    limit: Math.max(1, limit - shown.length),
  }
  const page = await search({ ...query, ...rest })
  if (page === undefined || own.length === 0) return page
  const servers = [...shown, ...page.servers].slice(0, limit)
  return { ...page, servers, total: page.total + own.length }
}

/** A pasted entry in the form of a registry's server. */
export function pastedDetail(entry: CatalogEntry): CatalogDetail {
  return { listed: toListed(entry), entry, raw: JSON.stringify(entry.server) }
}

function toListed({ server }: CatalogEntry): ListedServer {
  const head = readEntryHead({ server })
  if (head === undefined) return unnamed(server.name, server.description)
  const { name, title, description, publisher, namespace, version, ...rest } = readEntry(head)
  const { kinds, asksForSecrets } = rest
  return {
    ...{ sourceId: PASTED_SOURCE, name, title, description, publisher, namespace, version },
    ...{ isVerified: false, status: 'active', kinds, asksForSecrets },
  }
}

/** A name that no registry accepts. */
function unnamed(name: string, description: string): ListedServer {
  return {
    ...{ sourceId: PASTED_SOURCE, name, description, publisher: '', namespace: 'domain' },
    ...{ isVerified: false, version: '', status: 'active', kinds: [], asksForSecrets: false },
  }
}

function isFiltered({ filter = {} }: CatalogQuery): boolean {
  return Object.values(filter).some((choice) => !Array.isArray(choice) || choice.length > 0)
}

function matcherOf(text: string): (server: ListedServer) => boolean {
  const whole = fold(text)
  const words = wordsOf(whole)
  return ({ name, title = '', description }) => {
    const host = hostLength(name)
    const all = fold(`${name.slice(host)} ${title} ${description}`)
    const isName = whole.length > host && fold(name).startsWith(whole)
    return isName || words.every((word) => all.includes(word))
  }
}
