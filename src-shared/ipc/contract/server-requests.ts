import * as z from 'zod'

import { Capabilities } from '../../domain/agents/capability'
import { RunnerName } from '../../domain/runner-name'
import { HistoryPage, RecentFailure, Recovery } from '../../domain/running/history'
import { MAX_LOG_ROWS } from '../../domain/running/log-limits'
import { LogFound, LogQuery, LogRows, LogSearch } from '../../domain/running/log-query'
import { MetricsRange, ServerMetrics } from '../../domain/running/metrics'
import { RunnerView } from '../../domain/running/runner-advice'
import { Sharing } from '../../domain/sharing'
import { command, request, ServerRef } from './refs'

/** Requests on running servers, their runners and their logs. */
export const serverRequests = {
  /** These four respond as soon as the request is recorded; the result is a status. */
  'server.start': command(ServerRef),
  /** A second stop while stopping escalates immediately. */
  'server.stop': command(ServerRef),
  'server.restart': command(ServerRef),
  /** Starts a new session next to the current one, then swaps them; a failure changes nothing. */
  'server.reconnect': command(ServerRef),
  /**
   * Deletes the copy of its package that npx or uvx keeps, fetches it again and starts the server; the result is a status. Rejects with
   * INVALID_REQUEST unless it is stopped or failed.
   */
  'server.repair': command(ServerRef),
  /** Sets which agents share a process of it, and ends processes that not all share. */
  'server.setSharing': command(ServerRef.extend({ sharing: Sharing })),
  /** Ends one process that not all agents share; its app gets another with its next call. */
  'server.endInstance': command(ServerRef.extend({ instanceId: z.number().int() })),
  /** Returns its current lists, or the last known ones; `ToolsState` says which and when. */
  'server.capabilities': request(ServerRef, Capabilities),
  /** Returns the field with its port, null if that is uncertain, and a free port; `taken` is the port in use. */
  'server.findPort': request(
    ServerRef.extend({ taken: z.number().int().min(1).max(65_535).optional() }),
    z.object({ fieldKey: z.string().nullable(), port: z.number().int() }),
  ),
  /** Returns the metrics of a server for the range, in equal steps, including a fresh look at its processes. */
  'metrics.read': request(ServerRef.extend({ range: MetricsRange }), ServerMetrics),
  /** Returns the metrics of every server over 24 h as one JSON text, for the user to save. */
  'metrics.export': request(z.object({}), z.string()),

  /** Returns the history of a server, newest first; with `before`, events older than that one. */
  'history.read': request(
    ServerRef.extend({
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    HistoryPage,
  ),
  /** Returns the newest failures of all servers in the last 24 h, at most five. */
  'history.failures': request(z.object({}), z.array(RecentFailure)),
  /** Returns automatic recoveries since the user last looked, newest first, at most ten. */
  'history.recoveries': request(z.object({}), z.array(Recovery)),
  /** Marks all recoveries so far as seen. */
  'history.markLooked': command(z.object({})),

  /** Returns every runner with its path; `fresh` determines each version again. */
  'runner.list': request(z.object({ fresh: z.boolean().default(false) }), z.array(RunnerView)),
  /** Returns the installed runners without running any. */
  'runner.find': request(z.object({}), z.array(RunnerName)),
  /** Returns the names of this computer's environment variables that servers don't get, sorted, without values. */
  'runner.heldBack': request(z.object({}), z.array(z.string())),
  /**
   * Runs an official setup of this platform by its id, as the first step of a start; the result is a status. Rejects with NOT_FOUND, and
   * with INVALID_REQUEST unless the server is stopped or failed.
   */
  'runner.setUp': command(ServerRef.extend({ setupId: z.string().max(60) })),
  /** Returns rows starting at `from`; a negative number counts back from the end. With `search` the rows include matches. */
  'log.rows': request(
    z.object({
      query: LogQuery,
      from: z.number().int(),
      count: z.number().int().min(0).max(MAX_LOG_ROWS),
      search: LogSearch.optional(),
    }),
    LogRows,
  ),
  /** Returns the next matching line from a row, wrapping around; `here` is the newest one up to it. Repeat the request until it is done. */
  'log.find': request(
    z.object({
      query: LogQuery,
      search: LogSearch,
      from: z.number().int(),
      step: z.enum(['here', 'next', 'previous']),
    }),
    LogFound,
  ),
  /** Returns the next or previous row with a start, an end or an error, wrapping around; null if there is none. */
  'log.landmark': request(
    z.object({
      query: LogQuery,
      kind: z.enum(['mark', 'error']),
      from: z.number().int(),
      step: z.enum(['next', 'previous']),
    }),
    z.number().int().nullable(),
  ),
  /** Shows the log file of a server in the system's file manager, if the system has one. */
  'log.showFile': request(ServerRef, z.object({ path: z.string(), isShown: z.boolean() })),
  /** Returns the disk usage of all servers' log files; `folder` contains them. */
  'log.usage': request(
    z.object({}),
    z.object({ bytes: z.number(), files: z.number().int(), folder: z.string() }),
  ),
  /** Deletes the log files of all servers. */
  'log.clearFiles': command(z.object({})),
}
