import * as z from 'zod'

import { RunnerName } from '../runner-name'
import { ListedRef } from './listed-ref'

/** How a listed server can be had: a kind of package, a bundle, or a remote that is connected to. */
export const ListedKind = z.enum(['npm', 'pypi', 'docker', 'nuget', 'cargo', 'bundle', 'remote'])
export type ListedKind = z.infer<typeof ListedKind>

/** What a namespace stands for: a domain, or a GitHub account. */
const NamespaceKind = z.enum(['domain', 'github'])

/** What a registry made sure of: that the publisher owns the domain, or the GitHub account; `none` where it is not known to. */
export const NamespaceProof = z.enum(['domain', 'github', 'none'])
export type NamespaceProof = z.infer<typeof NamespaceProof>

/** Statuses of what is listed: the deleted are not. */
export const ListedStatus = z.enum(['active', 'deprecated'])
export type ListedStatus = z.infer<typeof ListedStatus>

/** Order of a page: without text `relevance` is what comes with Patchbay, then the newest first. */
export const CatalogSort = z.enum(['relevance', 'updated', 'published', 'name'])
export type CatalogSort = z.infer<typeof CatalogSort>

/** What is left out of a list; an empty list of choices leaves out nothing. */
export const CatalogFilter = z.object({
  kinds: z.array(ListedKind).optional(),
  /** Only what can be started with these runners: packages of their kinds, and bundles, which need none. */
  runners: z.array(RunnerName).optional(),
  asksForSecrets: z.boolean().optional(),
  namespaces: z.array(NamespaceProof).optional(),
  statuses: z.array(ListedStatus).optional(),
  /** Epoch ms. */
  updatedSince: z.number().optional(),
  sourceIds: z.array(z.string()).optional(),
  /** Only these, in this order where they are sorted by relevance and there is no text. */
  among: z.array(ListedRef).max(1_000).optional(),
})
export type CatalogFilter = z.infer<typeof CatalogFilter>

/** One question to the catalog. */
export const CatalogQuery = z.object({
  /** As a user types it: no character has a meaning of its own. */
  text: z.string().max(1_000),
  filter: CatalogFilter.optional(),
  sort: CatalogSort.optional(),
  offset: z.number().int().nonnegative().max(1_000_000).optional(),
  limit: z.number().int().positive().max(500).optional(),
  /** The runners of this machine, for the count of what runs here. */
  runnersHere: z.array(RunnerName).optional(),
  /** Moments in epoch ms, for the counts of what was updated since; nothing is counted where they are missing. */
  recent: z.object({ month: z.number(), year: z.number() }).optional(),
})
export type CatalogQuery = z.infer<typeof CatalogQuery>

/** One server in a list. `sourceId` and the full, case-sensitive `name` together are its key. */
export const ListedServer = z.object({
  sourceId: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** The domain (`stripe.com`) or the GitHub account that the namespace stands for. */
  publisher: z.string(),
  namespace: NamespaceKind,
  /** Whether its registry checked that the publisher owns that. */
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
  /** `https:` or `data:` address of a picture; to be fetched by main. */
  icon: z.string().optional(),
})
export type ListedServer = z.infer<typeof ListedServer>

/** How many servers each choice of a filter would show, the other filters being as they are. */
export const FacetCounts = z.object({
  kinds: z.record(ListedKind, z.number()),
  runsHere: z.number(),
  asksForSecrets: z.number(),
  asksForNone: z.number(),
  namespaces: z.record(NamespaceProof, z.number()),
  statuses: z.record(ListedStatus, z.number()),
  updated: z.object({ month: z.number(), year: z.number() }),
  /** By source id; a source that would show none is missing. */
  sources: z.record(z.string(), z.number()),
})
export type FacetCounts = z.infer<typeof FacetCounts>

/** A part of what was found. */
export const CatalogPage = z.object({
  servers: z.array(ListedServer),
  total: z.number(),
  facets: FacetCounts,
  /**
   * What was looked for besides words that nothing or little has, e.g. `postgres` for `postgers`; `has` is how many
   * servers have what was typed. Nothing is taken for words that no server has, where other words are found.
   */
  corrections: z.array(
    z.object({ typed: z.string(), taken: z.array(z.string()), has: z.number() }),
  ),
  /** Whether no server has all words, so that those with the most of them are shown. */
  isPartial: z.boolean(),
})
export type CatalogPage = z.infer<typeof CatalogPage>

/** What a source says of a server that somebody installed; `unlisted` once its list came whole without it. */
export const SourceStatus = z.object({
  sourceId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'deprecated', 'deleted', 'unlisted']),
  version: z.string().optional(),
  statusMessage: z.string().optional(),
})
export type SourceStatus = z.infer<typeof SourceStatus>

/** One version of a server, as its registry tells it; newest first in a list. */
export const ListedVersion = z.object({
  version: z.string(),
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: z.string().optional(),
  /** Epoch ms. */
  publishedAt: z.number().optional(),
  isLatest: z.boolean(),
  /** The registry's own document, as JSON text. */
  raw: z.string(),
})
export type ListedVersion = z.infer<typeof ListedVersion>
