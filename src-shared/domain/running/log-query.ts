import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { LogEntry } from './log-entry'
import { LOG_LEVELS } from './log-limits'

/** Maximum number of servers whose logs are merged. */
const MAX_SERVERS = 500
/** Maximum length of a search text, in characters. */
const MAX_SEARCH_LENGTH = 1_000

/** Selects lines of these servers' logs, in order of arrival. */
export const LogQuery = z.object({
  servers: z.array(InstallationId).min(1).max(MAX_SERVERS),
  /** The lowest level. */
  level: z.enum(LOG_LEVELS).default('debug'),
  source: LogEntry.shape.source.optional(),
  /** Epoch ms, both inclusive. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Only lines after the one with this `place`. */
  after: z.number().int().optional(),
})
export type LogQuery = z.infer<typeof LogQuery>

/** Search in the text of lines. */
export const LogSearch = z.object({
  text: z.string().min(1).max(MAX_SEARCH_LENGTH),
  /** `text` is a JavaScript regular expression. */
  isRegex: z.boolean().default(false),
  isCaseSensitive: z.boolean().default(false),
})
export type LogSearch = z.infer<typeof LogSearch>

/** A match in a line: offsets in its text, `end` excluded. */
const LogHit = z.object({ start: z.number().int(), end: z.number().int() })
export type LogHit = z.infer<typeof LogHit>

/** One row of the result. */
export const LogRow = z.object({
  /** Number of the row among all that match the query, including dropped ones. */
  row: z.number().int(),
  /** Index of its server in the query. */
  server: z.number().int(),
  entry: LogEntry,
  /** Number of lines of its server that are missing directly before it; 0 if a filter hides lines. */
  missing: z.number().int(),
  /** Matches of the search, if rows were requested with one. */
  hits: z.array(LogHit).optional(),
})
export type LogRow = z.infer<typeof LogRow>

/** Extent of a query's result at this moment. */
const LogExtent = z.object({
  /** Rows of responses with different ids cannot be compared: request them again. */
  viewId: z.number().int(),
  /** First row that is still stored. */
  first: z.number().int(),
  /** One after the newest row. */
  end: z.number().int(),
  /** `place` of the newest line of all logs, regardless of the filter; -1 before the first. */
  place: z.number().int(),
})

/** Consecutive rows starting at the requested one. */
export const LogRows = LogExtent.extend({ rows: z.array(LogRow) })
export type LogRows = z.infer<typeof LogRows>

/** Progress of a search, which continues in the background from the newest line to the oldest. */
export const LogFound = LogExtent.extend({
  /** Number of matching lines so far. */
  count: z.number().int(),
  isDone: z.boolean(),
  /** Why the search ended early: a sentence. */
  problem: z.string().optional(),
  /** The requested line and the number of matching lines before it. */
  current: z.object({ row: z.number().int(), before: z.number().int() }).optional(),
})
export type LogFound = z.infer<typeof LogFound>
