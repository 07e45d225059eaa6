import * as z from 'zod'

import { Capabilities } from '../../domain/agents/capability'
import { RunnerName } from '../../domain/runner-name'
import { HistoryPage, RecentFailure, Recovery } from '../../domain/running/history'
import { MOST_LOG_ROWS } from '../../domain/running/log-limits'
import { LogFound, LogQuery, LogRows, LogSearch } from '../../domain/running/log-query'
import { MetricsRange, ServerMetrics } from '../../domain/running/metrics'
import { RunnerView } from '../../domain/running/runner-advice'
import { Sharing } from '../../domain/sharing'
import { command, request, ServerRef } from './refs'

/** Running servers, their runners and their logs. */
export const serverRequests = {
  /** These four answer as soon as the request is recorded; the outcome is a status. */
  'server.start': command(ServerRef),
  /** A second stop while stopping escalates immediately. */
  'server.stop': command(ServerRef),
  'server.restart': command(ServerRef),
  /** Brings a new session up beside the one that serves, then swaps them; one that fails changes nothing. */
  'server.reconnect': command(ServerRef),
  /** Takes away the copy that npx or uvx keeps of its package, fetches it again and starts it; the outcome is a status. Rejects with INVALID_REQUEST unless it is stopped or failed. */
  'server.repair': command(ServerRef),
  /** Which agents share a process of it: those that not all share end. */
  'server.setSharing': command(ServerRef.extend({ sharing: Sharing })),
  /** Ends one process that not all agents share; its app gets another with its next call. */
  'server.endInstance': command(ServerRef.extend({ instanceId: z.number().int() })),
  /** What it lists, or listed when it last ran; `ToolsState` says which and when. */
  'server.capabilities': request(ServerRef, Capabilities),
  /** The field that holds its port, null where none surely does, and a port that is free; `taken` is the one that is not. */
  'server.findPort': request(
    ServerRef.extend({ taken: z.number().int().min(1).max(65_535).optional() }),
    z.object({ fieldKey: z.string().nullable(), port: z.number().int() }),
  ),
  /** What was counted of a server in the last hours, in steps that share the time evenly; a fresh look at its processes is part of it. */
  'metrics.read': request(ServerRef.extend({ range: MetricsRange }), ServerMetrics),
  /** The metrics of every server over 24 h as one JSON text, to be saved by the user. */
  'metrics.export': request(z.object({}), z.string()),

  /** What happened to a server, newest first; with `before` what is older than that event. */
  'history.read': request(
    ServerRef.extend({
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(200).default(50),
    }),
    HistoryPage,
  ),
  /** The newest failures of all servers in the last 24 h, five at most. */
  'history.failures': request(z.object({}), z.array(RecentFailure)),
  /** What recovered automatically since the user looked last, newest first, ten at most. */
  'history.recoveries': request(z.object({}), z.array(Recovery)),
  /** The user has seen what recovered until now. */
  'history.markLooked': command(z.object({})),

  /** Every runner with the path in use; `fresh` asks each for its version again. */
  'runner.list': request(z.object({ fresh: z.boolean().default(false) }), z.array(RunnerView)),
  /** The runners whose program is there; none of them is run for it. */
  'runner.find': request(z.object({}), z.array(RunnerName)),
  /** Names of variables of this computer that servers don't get, in their order; no value. */
  'runner.heldBack': request(z.object({}), z.array(z.string())),
  /** Runs an official setup of this platform, by its id, as the first step of a start; the outcome is a status. Rejects with NOT_FOUND, and with INVALID_REQUEST unless the server is stopped or failed. */
  'runner.setUp': command(ServerRef.extend({ setupId: z.string().max(60) })),
  /** Rows from `from` on; a negative number counts from after the newest. With `search` they tell where it stands. */
  'log.rows': request(
    z.object({
      query: LogQuery,
      from: z.number().int(),
      count: z.number().int().min(0).max(MOST_LOG_ROWS),
      search: LogSearch.optional(),
    }),
    LogRows,
  ),
  /** The line with the text that is stepped to from a row, round the ends; `here` is the newest up to it. Ask again until it is done. */
  'log.find': request(
    z.object({
      query: LogQuery,
      search: LogSearch,
      from: z.number().int(),
      step: z.enum(['here', 'next', 'previous']),
    }),
    LogFound,
  ),
  /** The next or previous row that is a start or an end, or an error, round the ends; null where there is none. */
  'log.landmark': request(
    z.object({
      query: LogQuery,
      kind: z.enum(['mark', 'error']),
      from: z.number().int(),
      step: z.enum(['next', 'previous']),
    }),
    z.number().int().nullable(),
  ),
  /** Shows the log file of a server in the system's own program for files, unless there is none. */
  'log.showFile': request(ServerRef, z.object({ path: z.string(), isShown: z.boolean() })),
  /** What the log files of all servers take; `folder` holds them. */
  'log.usage': request(
    z.object({}),
    z.object({ bytes: z.number(), files: z.number().int(), folder: z.string() }),
  ),
  /** Deletes the log files of all servers. */
  'log.clearFiles': command(z.object({})),
}
