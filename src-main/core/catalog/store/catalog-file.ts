import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { damageOf, type FileDamage, lacksParts, moveFile } from '../../sqlite/file-damage'
import { migrate, type Migration } from '../../sqlite/file-damage'
import { fold, spacedPairs } from '../../text/words'
import { indexLabel } from './listed-entry'

/** Migrations in order; `user_version` counts the applied ones. */
export const MIGRATIONS: readonly Migration[] = [
  `
    CREATE TABLE source (
      source_id TEXT PRIMARY KEY,
      base_url TEXT NOT NULL,
      enabled INTEGER NOT NULL,
      -- A full sync numbers what it sees; what keeps an older number at its end is gone.
      generation INTEGER NOT NULL DEFAULT 0,
      latest_only INTEGER NOT NULL DEFAULT 1,
      -- Where an interrupted full sync goes on.
      cursor TEXT,
      pages INTEGER NOT NULL DEFAULT 0,
      -- The registry's time when the waiting full sync began, and when the last complete one did.
      run_mark INTEGER,
      mark INTEGER,
      full_at INTEGER,
      completed_at INTEGER,
      fault TEXT
    ) STRICT;
    CREATE TABLE server (
      id INTEGER PRIMARY KEY,
      source_id TEXT NOT NULL,
      name TEXT NOT NULL,
      title TEXT,
      description TEXT NOT NULL,
      publisher TEXT NOT NULL,
      namespace TEXT NOT NULL,
      version TEXT NOT NULL,
      status TEXT NOT NULL,
      status_message TEXT,
      published_at INTEGER,
      updated_at INTEGER,
      kinds TEXT NOT NULL,
      asks_for_secrets INTEGER NOT NULL,
      icon TEXT,
      label TEXT NOT NULL,
      generation INTEGER NOT NULL,
      digest TEXT NOT NULL,
      -- The entry's JSON text, deflated.
      raw BLOB NOT NULL,
      UNIQUE (source_id, name)
    ) STRICT;
    CREATE INDEX server_by_name ON server (name COLLATE NOCASE);
    CREATE VIRTUAL TABLE server_word USING fts5 (
      -- The names are compared elsewhere; here they are for the list of words that servers use.
      names, words, content='', contentless_delete=1, detail=column,
      prefix='2 3', tokenize="unicode61 remove_diacritics 0"
    );
    CREATE VIRTUAL TABLE known_word USING fts5vocab (server_word, row);
  `,
  `
    CREATE TABLE removed (
      source_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      status_message TEXT,
      PRIMARY KEY (source_id, name)
    ) STRICT, WITHOUT ROWID;
  `,
  `
    CREATE TABLE answer (
      source_id TEXT NOT NULL,
      path TEXT NOT NULL,
      etag TEXT,
      body BLOB NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (source_id, path)
    ) STRICT;
  `,
  `
    -- Whether the page at which a full sync goes on was refused by a failing registry the last time.
    ALTER TABLE source ADD COLUMN is_stalled INTEGER NOT NULL DEFAULT 0
  `,
  `
    -- The kinds whose packages can be started on this machine. Which these are is read from the next full sync on.
    ALTER TABLE server ADD COLUMN starts TEXT NOT NULL DEFAULT '';
    UPDATE server SET starts = kinds, digest = '';
    UPDATE source SET full_at = NULL;
  `,
  `
    -- Labels hold who keeps a package until the next full sync reads every entry again.
    UPDATE server SET digest = '';
    UPDATE source SET full_at = NULL;
  `,
  `
    -- Entries that could not be read, which are counted from the next full sync on.
    ALTER TABLE source ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
  `,
  `
    -- Descriptions in scripts without blanks are one word until the next full sync reads every entry again.
    UPDATE server SET digest = '';
    UPDATE source SET full_at = NULL;
  `,
  indexByPlaces,
]

function indexByPlaces(database: DatabaseSync): void {
  database.exec(`
    -- Documents lie apart, so that a search reads none.
    CREATE TABLE document (id INTEGER PRIMARY KEY, raw BLOB NOT NULL) STRICT;
    INSERT INTO document SELECT id, raw FROM server;
    ALTER TABLE server DROP COLUMN raw;
    ALTER TABLE server ADD COLUMN owner TEXT NOT NULL DEFAULT '';
    CREATE INDEX server_by_facets ON server
      (source_id, status, namespace, asks_for_secrets, kinds, starts, updated_at);
    DROP TABLE known_word;
    DROP TABLE server_word;
    CREATE VIRTUAL TABLE server_word USING fts5 (
      head, rest, host, words, content='', contentless_delete=1, detail=column,
      prefix='1 2 3', tokenize="unicode61 remove_diacritics 0"
    );
    CREATE VIRTUAL TABLE known_word USING fts5vocab (server_word, row);
    CREATE TRIGGER forget_server AFTER DELETE ON server BEGIN
      DELETE FROM document WHERE id = old.id;
      DELETE FROM server_word WHERE rowid = old.id;
    END;
    -- The names of inputs are found again from the next full sync on, which reads every entry.
    UPDATE server SET digest = '';
    UPDATE source SET full_at = NULL;
  `)
  const putWords = database.prepare(
    'INSERT INTO server_word (rowid, head, rest, host, words) VALUES (?, ?, ?, ?, ?)',
  )
  const putOwner = database.prepare('UPDATE server SET owner = ? WHERE id = ?')
  for (const row of database.prepare('SELECT id, label, description FROM server').all()) {
    const { owner, head, rest, host } = indexLabel(String(row.label))
    putOwner.run(owner, Number(row.id))
    putWords.run(Number(row.id), head, rest, host, spacedPairs(fold(String(row.description))))
  }
}

/** Why a catalog file was moved aside; `unusable` if no folder works. */
export type DiscardReason = FileDamage | 'unusable'

/** A catalog file opened for writing. */
export type CatalogFile = {
  readonly path: string
  readonly writer: DatabaseSync
  /** Reads what is committed, even during a writer's transaction. */
  readonly reader: DatabaseSync
  /** Why the catalog starts empty; absent for a valid or first file. */
  readonly reason?: DiscardReason
  /** The file is in the system's temporary folder and deleted on close. */
  readonly isTemporary: boolean
}

const FILE = 'catalog.db'
const ASIDE = 'catalog.set-aside.db'
const BUSY_MS = 2_000

/**
 * Opens the catalog of a profile folder. A corrupt, locked or newer file is moved aside and replaced; if the folder isn't writable, the
 * catalog is in a temporary folder for this run.
 */
export function openCatalogFile(folder: string, busyMs = BUSY_MS): CatalogFile {
  const path = join(folder, FILE)
  if (succeeds(() => mkdirSync(folder, { recursive: true }))) {
    const first = tryOpen(path, busyMs)
    if (typeof first !== 'string') return { ...first, isTemporary: false }
    const second = moveAside(path) ? tryOpen(path, busyMs) : 'unusable'
    if (typeof second !== 'string') return { ...second, reason: first, isTemporary: false }
  }
  const temporary = join(mkdtempSync(join(tmpdir(), 'patchbay-catalog-')), FILE)
  const opened = open(temporary, busyMs)
  return { ...opened, reason: 'unusable', isTemporary: true }
}

/** Moves the file of a closed catalog aside, so that the next open creates a new one; false if that fails. */
export function moveAside(path: string): boolean {
  return succeeds(() => moveFile(path, join(dirname(path), ASIDE)))
}

/** Closes both connections, and removes a temporary file. */
export function closeCatalogFile({ path, reader, writer, isTemporary }: CatalogFile): void {
  if (reader.isOpen) reader.close()
  if (writer.isOpen) writer.close()
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true })
}

function tryOpen(path: string, busyMs: number) {
  try {
    return open(path, busyMs)
  } catch (error) {
    return damageOf(error) ?? (lacksParts(error) ? 'corrupt' : 'unusable')
  }
}

function open(path: string, busyMs: number): Pick<CatalogFile, 'path' | 'writer' | 'reader'> {
  const writer = new DatabaseSync(path, { timeout: busyMs })
  try {
    writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(writer, MIGRATIONS)
    // Detects a lock or a missing table now instead of at the first sync.
    writer.exec(
      'BEGIN IMMEDIATE; SELECT count(*) FROM source; SELECT id FROM server LIMIT 1; COMMIT',
    )
    const reader = new DatabaseSync(path, { timeout: busyMs, readOnly: true })
    reader.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
    return { path, writer, reader }
  } catch (error) {
    writer.close()
    throw error
  }
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
