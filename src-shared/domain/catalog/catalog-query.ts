import * as z from 'zod'

import { RunnerName } from '../runner-name'
import { ListedRef } from './listed-ref'

/** Kind of an offer: a package, a bundle or a remote. */
export const ListedKind = z.enum(['npm', 'pypi', 'docker', 'nuget', 'cargo', 'bundle', 'remote'])
export type ListedKind = z.infer<typeof ListedKind>

/** What a namespace identifies: a domain or a GitHub account. */
const NamespaceKind = z.enum(['domain', 'github'])

/** What a registry verified: that the publisher owns the domain or the GitHub account; `none` if nothing is known. */
export const NamespaceProof = z.enum(['domain', 'github', 'none'])
export type NamespaceProof = z.infer<typeof NamespaceProof>

/** Statuses of listed servers; deleted ones are not listed. */
export const ListedStatus = z.enum(['active', 'deprecated'])
export type ListedStatus = z.infer<typeof ListedStatus>

/** Order of a page. Without text, `relevance` puts the servers that come with Patchbay first, then the newest. */
export const CatalogSort = z.enum(['relevance', 'updated', 'published', 'name'])
export type CatalogSort = z.infer<typeof CatalogSort>

/** Filters of a list; an empty list of choices filters nothing. */
export const CatalogFilter = z.object({
  kinds: z.array(ListedKind).optional(),
  /** Only servers that these runners can start: packages of their kinds, and bundles, which need none. */
  runners: z.array(RunnerName).optional(),
  asksForSecrets: z.boolean().optional(),
  namespaces: z.array(NamespaceProof).optional(),
  statuses: z.array(ListedStatus).optional(),
  /** Epoch ms. */
  updatedSince: z.number().optional(),
  sourceIds: z.array(z.string()).optional(),
  /** Only these servers, in this order if sorted by relevance without text. */
  among: z.array(ListedRef).max(1_000).optional(),
})
export type CatalogFilter = z.infer<typeof CatalogFilter>

/** One query of the catalog. */
export const CatalogQuery = z.object({
  /** Text as the user typed it: no character has a special meaning. */
  text: z.string().max(1_000),
  filter: CatalogFilter.optional(),
  sort: CatalogSort.optional(),
  offset: z.number().int().nonnegative().max(1_000_000).optional(),
  limit: z.number().int().positive().max(500).optional(),
  /** Runners on this computer, to count the servers that run here. */
  runnersHere: z.array(RunnerName).optional(),
  /** Epoch ms, to count the servers updated since; nothing is counted if missing. */
  recent: z.object({ month: z.number(), year: z.number() }).optional(),
})
export type CatalogQuery = z.infer<typeof CatalogQuery>

/** One server in a list. `sourceId` and the full, case-sensitive `name` together form its key. */
export const ListedServer = z.object({
  sourceId: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** The domain (`stripe.com`) or the GitHub account of the namespace. */
  publisher: z.string(),
  namespace: NamespaceKind,
  /** Whether its registry verified that the publisher owns the namespace. */
  isVerified: z.boolean(),
  version: z.string(),
  status: ListedStatus,
  statusMessage: z.string().optional(),
  /** Epoch ms. */
  publishedAt: z.number().optional(),
  /** Epoch ms. */
  updatedAt: z.number().optional(),
  kinds: z.array(ListedKind),
  asksForSecrets: z.boolean(),
  /** `https:` or `data:` address of a picture; main fetches it. */
  icon: z.string().optional(),
})
export type ListedServer = z.infer<typeof ListedServer>

/** How many servers each choice of a filter would show with the other filters unchanged. */
export const FacetCounts = z.object({
  kinds: z.record(ListedKind, z.number()),
  runsHere: z.number(),
  asksForSecrets: z.number(),
  asksForNone: z.number(),
  namespaces: z.record(NamespaceProof, z.number()),
  statuses: z.record(ListedStatus, z.number()),
  updated: z.object({ month: z.number(), year: z.number() }),
  /** By source id; a source without servers is missing. */
  sources: z.record(z.string(), z.number()),
})
export type FacetCounts = z.infer<typeof FacetCounts>

/** One page of results. */
export const CatalogPage = z.object({
  servers: z.array(ListedServer),
  total: z.number(),
  facets: FacetCounts,
  /**
   * Corrections of words with few or no matches, such as `postgres` for `postgers`; `has` is the number of servers that match the typed
   * word. A word without any match is not corrected if other words match.
   */
  corrections: z.array(
    z.object({ typed: z.string(), taken: z.array(z.string()), has: z.number() }),
  ),
  /** Whether no server matches all words, so that the page has those that match most. */
  isPartial: z.boolean(),
})
export type CatalogPage = z.infer<typeof CatalogPage>

/** A source's status of an installed server; `unlisted` if a complete list lacks it. */
export const SourceStatus = z.object({
  sourceId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'deprecated', 'deleted', 'unlisted']),
  version: z.string().optional(),
  statusMessage: z.string().optional(),
})
export type SourceStatus = z.infer<typeof SourceStatus>

/** One version of a server from its registry; newest first in a list. */
export const ListedVersion = z.object({
  version: z.string(),
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: z.string().optional(),
  /** Epoch ms. */
  publishedAt: z.number().optional(),
  isLatest: z.boolean(),
  /** The registry's own document as JSON text. */
  raw: z.string(),
})
export type ListedVersion = z.infer<typeof ListedVersion>
