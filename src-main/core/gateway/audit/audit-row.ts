import type { SQLOutputValue } from 'node:sqlite'

import type * as z from 'zod'

import { Call } from '../../../../src-shared/domain/agents/activity'

/** A call before it is kept, which gives it its number. */
export const NewCall = Call.omit({ callId: true })
export type NewCall = z.infer<typeof NewCall>

type Row = Record<string, SQLOutputValue>

const COLUMNS = [
  'at',
  'agent_id',
  'agent_name',
  'installation_id',
  'server_name',
  'method',
  'target',
  'duration_ms',
  'request_bytes',
  'result_bytes',
  'outcome',
  'message',
  'arguments',
] as const

/** Keeps one call; its values are those of `valuesOf`. */
export const INSERT_CALL = `INSERT INTO call (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')})`

/** The values of a call in the order of `INSERT_CALL`. */
export function valuesOf(call: NewCall): (string | number | null)[] {
  return [
    call.at,
    call.agentId,
    call.agentName,
    call.installationId ?? null,
    call.serverName ?? null,
    call.method,
    call.target,
    call.durationMs,
    call.requestBytes,
    call.resultBytes,
    call.outcome,
    call.message ?? null,
    call.arguments ?? null,
  ]
}

/** A row as the screens read it; undefined for one that Patchbay did not write. */
export function callOf(row: Row): Call | undefined {
  return Call.safeParse({
    callId: row.id,
    at: row.at,
    agentId: row.agent_id,
    agentName: row.agent_name,
    installationId: row.installation_id ?? undefined,
    serverName: row.server_name ?? undefined,
    method: row.method,
    target: row.target,
    durationMs: row.duration_ms,
    requestBytes: row.request_bytes,
    resultBytes: row.result_bytes,
    outcome: row.outcome,
    message: row.message ?? undefined,
    arguments: row.arguments ?? undefined,
  }).data
}
