import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog-entry'
import { parseServerJson } from '../../../src-shared/domain/parse-server-json'
import { readRegistryMeta } from '../../../src-shared/domain/registry-meta'
import { isJsonObject } from '../../../src-shared/domain/tolerant-reader'
import { askRegistry, badAnswer, type RegistryQuestion } from './registry-request'

const PAGE_LIMIT = 50
const ENTRY_ID_LIMIT = 400

/**
 * The first page of a live search, newest versions only; `more` tells whether others match. Rejects as
 * `askRegistry` does.
 */
export async function searchRegistry(
  search: RegistryQuestion & { readonly query: string },
): Promise<{ entries: CatalogEntry[]; more: boolean }> {
  const { baseUrl, query } = search
  const parameters = new URLSearchParams({
    search: query,
    version: 'latest',
    limit: String(PAGE_LIMIT),
  })
  const body = await askRegistry(`servers?${parameters.toString()}`, search)
  if (body === undefined) throw badAnswer(baseUrl, 'answered with status 404')
  if (!isJsonObject(body) || !Array.isArray(body.servers)) {
    throw badAnswer(baseUrl, 'answered with JSON that is no list of servers')
  }
  const entries = body.servers.flatMap(readEntry).filter(({ status }) => status !== 'deleted')
  const unique = new Map(entries.map((entry) => [entry.entryId, entry]))
  const metadata = isJsonObject(body.metadata) ? body.metadata : {}
  const cursor = metadata.nextCursor ?? metadata.next_cursor
  return { entries: [...unique.values()], more: typeof cursor === 'string' && cursor !== '' }
}

/**
 * The newest version of one server, by its full name; undefined when the registry does not have it, or has
 * nothing of it that can be read. Rejects as `askRegistry` does.
 */
export async function readLatest(
  question: RegistryQuestion & { readonly name: string },
): Promise<CatalogEntry | undefined> {
  const body = await askRegistry(
    `servers/${encodeURIComponent(question.name)}/versions/latest`,
    question,
  )
  return body === undefined ? undefined : readEntry(body)[0]
}

/** An entry that cannot be read is left out: it must not cost the others. */
function readEntry(raw: unknown): CatalogEntry[] {
  try {
    const { server, notices } = parseServerJson(raw)
    return [
      {
        entryId: `registry:${server.name}@${server.version}`.slice(0, ENTRY_ID_LIMIT),
        source: 'registry',
        server,
        ...readRegistryMeta(raw),
        notices,
      },
    ]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}
