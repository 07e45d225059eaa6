import type { DatabaseSync } from 'node:sqlite'

import type { Migration } from '../../sqlite/migrate'

/** The steps of the schema of `activity.db`, in their order. */
export const AUDIT_MIGRATIONS: readonly Migration[] = [createCalls]

function createCalls(database: DatabaseSync): void {
  database.exec(`
      CREATE TABLE call (
        -- AUTOINCREMENT: a number is never given again, also when all calls were cleared.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,
        agent_id TEXT NOT NULL,
        agent_name TEXT NOT NULL,
        installation_id TEXT,
        server_name TEXT,
        method TEXT NOT NULL,
        target TEXT NOT NULL,
        duration_ms REAL NOT NULL,
        request_bytes INTEGER NOT NULL,
        result_bytes INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        message TEXT,
        arguments TEXT
      ) STRICT`)
}
