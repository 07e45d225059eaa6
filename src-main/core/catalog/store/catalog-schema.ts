import type { DatabaseSync } from 'node:sqlite'

import type { Migration } from '../../sqlite/migrate'

/** The steps in their order; `user_version` counts those that a file has gone through. */
export const MIGRATIONS: readonly Migration[] = [
  createLists,
  rememberRemoved,
  keepAnswers,
  noteStalls,
  tellStarts,
  dropHosts,
  countLeftOut,
  pairCharacters,
]

function createLists(database: DatabaseSync): void {
  database.exec(`
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
  `)
}

function rememberRemoved(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE removed (
      source_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      status_message TEXT,
      PRIMARY KEY (source_id, name)
    ) STRICT, WITHOUT ROWID;
  `)
}

function keepAnswers(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE answer (
      source_id TEXT NOT NULL,
      path TEXT NOT NULL,
      etag TEXT,
      body BLOB NOT NULL,
      fetched_at INTEGER NOT NULL,
      PRIMARY KEY (source_id, path)
    ) STRICT;
  `)
}

function tellStarts(database: DatabaseSync): void {
  database.exec(`
    -- The kinds whose packages can be started on this machine. Which these are is read from the next full sync on.
    ALTER TABLE server ADD COLUMN starts TEXT NOT NULL DEFAULT '';
    UPDATE server SET starts = kinds, digest = '';
    UPDATE source SET full_at = NULL;
  `)
}

function dropHosts(database: DatabaseSync): void {
  database.exec(`
    -- Labels hold who keeps a package until the next full sync reads every entry again.
    UPDATE server SET digest = '';
    UPDATE source SET full_at = NULL;
  `)
}

function countLeftOut(database: DatabaseSync): void {
  database.exec(`
    -- Entries that could not be read, which are counted from the next full sync on.
    ALTER TABLE source ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
  `)
}

function pairCharacters(database: DatabaseSync): void {
  database.exec(`
    -- Descriptions in scripts without blanks are one word until the next full sync reads every entry again.
    UPDATE server SET digest = '';
    UPDATE source SET full_at = NULL;
  `)
}

function noteStalls(database: DatabaseSync): void {
  database.exec(`
    -- Whether the page at which a full sync goes on was refused by a failing registry the last time.
    ALTER TABLE source ADD COLUMN is_stalled INTEGER NOT NULL DEFAULT 0
  `)
}
