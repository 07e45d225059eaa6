import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

import type {
  CatalogPage,
  CatalogQuery,
  ListedKind,
  ListedServer,
} from '../../../../src-shared/domain/catalog/catalog-query'
import { STARTER_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import { checksNamespaces } from '../../../../src-shared/domain/catalog/official-registry'
import { filterGroups, PASSES } from './facets'
import { type TextMatch, TextMatcher } from './match-text'

const PAGE = 50
const DAY_MS = 86_400_000
const ENABLED = 'source_id IN (SELECT source_id FROM source WHERE enabled = 1)'

/** Answers searches out of the catalog's file, as it was committed. */
export class CatalogSearch {
  readonly #reader: DatabaseSync
  readonly #matcher: TextMatcher

  constructor(reader: DatabaseSync) {
    this.#reader = reader
    reader.exec('CREATE TEMP TABLE among (id INTEGER PRIMARY KEY, place INTEGER)')
    this.#matcher = new TextMatcher(reader)
  }

  /** To be called when the catalog has changed. */
  forget(): void {
    this.#matcher.forget()
  }

  /** Reads beforehand what the first word would have to wait for. */
  prepare(): void {
    this.search({ text: 'a', limit: 1 })
    this.#matcher.prepare()
  }

  search(query: CatalogQuery): CatalogPage {
    const { offset = 0, limit = PAGE, filter = {} } = query
    const match = this.#matcher.match(query.text)
    const scope = [ENABLED]
    if (match) scope.push('server.id IN (SELECT id FROM found)')
    if (filter.among) {
      this.#name(filter.among)
      scope.push('server.id IN (SELECT id FROM among)')
    }
    const { passing, total, facets } = filterGroups(this.#reader, scope.join(' AND '), query)
    if (passing !== undefined) scope.push(PASSES)
    if (filter.updatedSince !== undefined) scope.push('coalesce(updated_at, 0) >= ?')
    const { order, values } = orderOf(query, match)
    const joined = match ? 'found CROSS JOIN server USING (id)' : 'server'
    const servers = this.#reader
      .prepare(
        `WITH page AS MATERIALIZED (SELECT server.id FROM ${joined} WHERE ${scope.join(' AND ')}
           ORDER BY ${order} LIMIT ? OFFSET ?)
         SELECT server.*, base_url FROM page JOIN server USING (id) JOIN source USING (source_id)`,
      )
      .all(
        ...(passing === undefined ? [] : [passing]),
        ...(filter.updatedSince === undefined ? [] : [filter.updatedSince]),
        ...[...values, limit, offset],
      )
      .map(toListedServer)
    const { corrections = [], isPartial = false } = match ?? {}
    return { servers, total, facets, corrections, isPartial }
  }

  /** Notes the rows of named servers, with the place of each in the list of names. */
  #name(refs: NonNullable<NonNullable<CatalogQuery['filter']>['among']>): void {
    this.#reader.exec('DELETE FROM among')
    this.#reader
      .prepare(
        `INSERT OR IGNORE INTO among SELECT server.id, wanted.key FROM json_each(?) AS wanted JOIN server
         ON source_id = wanted.value ->> 'sourceId' AND name = wanted.value ->> 'name'`,
      )
      .run(JSON.stringify(refs))
  }
}

/** Equals by relevance to a text stand in the order of their names, others in that in which they came. */
function orderOf(
  { sort = 'relevance', filter }: CatalogQuery,
  match: TextMatch | undefined,
): Pick<TextMatch, 'order' | 'values'> {
  // Nothing is updated later than that, except by a clock that is wrong.
  const latest = Date.now() + DAY_MS
  const newest = (column: string): string =>
    `min(coalesce(${column}, 0), ${latest}) DESC, server.id`
  if (sort === 'name') return { order: 'name COLLATE NOCASE, server.id', values: [] }
  if (sort !== 'relevance') return { order: newest(`${sort}_at`), values: [] }
  if (match) return { ...match, order: `${match.order}, name COLLATE NOCASE, server.id` }
  if (filter?.among)
    return { order: '(SELECT place FROM among WHERE among.id = server.id)', values: [] }
  const isStarter = `source_id = '${STARTER_SOURCE}'`
  return {
    order: `${isStarter} DESC, iif(${isStarter}, server.id, 0), ${newest('updated_at')}`,
    values: [],
  }
}

/** A row of the servers' table with its source's `base_url`, as a list shows it. */
export function toListedServer(row: Record<string, SQLOutputValue>): ListedServer {
  return {
    sourceId: String(row.source_id),
    name: String(row.name),
    description: String(row.description),
    publisher: String(row.publisher),
    namespace: row.namespace === 'github' ? 'github' : 'domain',
    isVerified: checksNamespaces(String(row.base_url)),
    version: String(row.version),
    status: row.status === 'deprecated' ? 'deprecated' : 'active',
    kinds: String(row.kinds)
      .split(' ')
      .filter((kind): kind is ListedKind => kind !== ''),
    asksForSecrets: row.asks_for_secrets === 1,
    ...optional('title', row.title),
    ...optional('statusMessage', row.status_message),
    ...optional('publishedAt', row.published_at),
    ...optional('updatedAt', row.updated_at),
    ...optional('icon', row.icon),
  }
}

function optional(key: keyof ListedServer, value: SQLOutputValue | undefined): object {
  return value === null || value === undefined ? {} : { [key]: value }
}
