import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { LogEntry } from './log-entry'
import { LOG_LEVELS } from './log-limits'

/** Most servers whose logs are read as one. */
const MOST_SERVERS = 500
/** Longest text that is searched for, in characters. */
const LONGEST_SEARCH = 1_000

/** Which lines are meant, and of which logs, in the order in which they came. */
export const LogQuery = z.object({
  servers: z.array(InstallationId).min(1).max(MOST_SERVERS),
  /** The least level. */
  level: z.enum(LOG_LEVELS).default('debug'),
  source: LogEntry.shape.source.optional(),
  /** Epoch ms, both included. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Only lines that came after the one with this place. */
  after: z.number().int().optional(),
})
export type LogQuery = z.infer<typeof LogQuery>

/** What is looked for in the text of lines. */
export const LogSearch = z.object({
  text: z.string().min(1).max(LONGEST_SEARCH),
  /** `text` is a JavaScript regular expression. */
  isRegex: z.boolean().default(false),
  isCaseSensitive: z.boolean().default(false),
})
export type LogSearch = z.infer<typeof LogSearch>

/** Where the searched text stands in a line: offsets in its text, `end` excluded. */
const LogHit = z.object({ start: z.number().int(), end: z.number().int() })
export type LogHit = z.infer<typeof LogHit>

/** One line of a query's answer. */
export const LogRow = z.object({
  /** Counts the lines that the query lets through, those too that are no longer held. */
  row: z.number().int(),
  /** Index of its server in the query. */
  server: z.number().int(),
  entry: LogEntry,
  /** So many lines of its server are missing right before it; 0 where a filter hides lines. */
  missing: z.number().int(),
  /** The searched text, where rows were asked for with one. */
  hits: z.array(LogHit).optional(),
})
export type LogRow = z.infer<typeof LogRow>

/** What a query lets through at this moment. */
const LogExtent = z.object({
  /** Rows of answers with different ones do not compare: ask again. */
  viewId: z.number().int(),
  /** Rows from here on are held. */
  first: z.number().int(),
  /** After the newest row. */
  end: z.number().int(),
  /** Of the newest line of all logs, whatever the filter; -1 before the first. */
  place: z.number().int(),
})

/** Rows `from` on, without holes. */
export const LogRows = LogExtent.extend({ rows: z.array(LogRow) })
export type LogRows = z.infer<typeof LogRows>

/** How far a search is, which goes on in the background from the newest line to the oldest. */
export const LogFound = LogExtent.extend({
  /** Lines in which the text stands, as far as was searched. */
  count: z.number().int(),
  isDone: z.boolean(),
  /** Why the search ended early: a sentence. */
  problem: z.string().optional(),
  /** The line that was asked for, and how many of those found stand before it. */
  current: z.object({ row: z.number().int(), before: z.number().int() }).optional(),
})
export type LogFound = z.infer<typeof LogFound>
