import { isDeepStrictEqual } from 'node:util'

import { AppError } from '../../../src-shared/domain/app-error'
import { ENTRY_NAME, type HostApp, type HostValue, isTable } from './apps/host-app'
import { bridgeEntry, bridgeOf, hashOfMembers, membersOf } from './files/bridge-entry'
import type { HostEdit } from './files/change-plan'
import { type ConnectionContext, writtenIn } from './files/file-connections'
import type { FoundFile } from './files/found-file'
import type { WrittenEntry } from './files/host-ledger'
import type { HostDocument } from './formats/host-document'

/** Context of an edit that connects an app. */
export type ConnectContext = ConnectionContext & {
  /** Epoch ms. */
  readonly now: number
  /** Names of other apps that read the file. */
  readonly sharedWith: readonly string[]
}

/**
 * Adds an agent's entry, or repairs the existing one, of which it changes only the members that Patchbay writes. A file that several apps
 * read has one entry for all of them.
 */
export function connectEdit(file: FoundFile, agentId: string, context: ConnectContext): HostEdit {
  const { app, list, document } = file
  const [before] = writtenIn(file, context.ledger)
  const entryName = before?.entryName ?? nameFor(document, context.profileDir)
  const entry = bridgeEntry(app, { ...context, agentId, name: entryName })
  const members = Object.keys(entry)
  const hash = hashOfMembers(entry, members)
  const isThere = document?.entries.some(({ name }) => name === entryName) ?? false
  const made =
    before && isThere
      ? { madeFile: before.madeFile, madeLevels: before.madeLevels, vacant: before.vacant }
      : madeBy(document, list.keys)
  const after: WrittenEntry = {
    ...{ hostId: app.hostId, scope: file.scope, path: file.path, realPath: file.realPath },
    ...(before && { hostId: before.hostId, scope: before.scope, path: before.path }),
    ...{ keys: [...list.keys], entryName, agentId, members, hash, wanted: hash },
    ...made,
    ...(before?.turnedOff && { turnedOff: before.turnedOff }),
    writtenAt: context.now,
  }
  return {
    kind: 'connect',
    entryNames: [entryName],
    edit: (now) => withEntry(now, entryName, entry),
    notes: notesOf(file, entryName, context),
    written: { before, after },
  }
}

function madeBy(
  document: HostDocument | undefined,
  keys: readonly string[],
): Pick<WrittenEntry, 'madeFile' | 'madeLevels' | 'vacant'> {
  if (!document) return { madeFile: true, madeLevels: keys.length }
  const { levels, vacant } = document.gap
  return { madeFile: false, madeLevels: levels, vacant }
}

/** Returns the name of this profile's unrecorded entry, or the first free name. */
function nameFor(document: HostDocument | undefined, profileDir: string): string {
  const entries = document?.entries ?? []
  const ownEntry = entries.find(({ value }) => bridgeOf(value)?.profileDir === profileDir)
  if (ownEntry) return ownEntry.name
  const usedNames = new Set(entries.map(({ name }) => name))
  let name = ENTRY_NAME
  for (let number = 2; usedNames.has(name); number += 1) name = `${ENTRY_NAME}-${String(number)}`
  return name
}

function withEntry(
  document: HostDocument,
  name: string,
  entry: Readonly<Record<string, HostValue>>,
): HostDocument {
  const existing = document.entries.find((one) => one.name === name)?.value
  if (!isTable(existing)) return document.with(name, entry)
  let changed = document
  for (const [key, value] of Object.entries(entry)) {
    if (!isDeepStrictEqual(existing[key], value)) changed = changed.withMember(name, key, value)
  }
  return changed
}

function notesOf(
  { app, document }: FoundFile,
  entryName: string,
  { sharedWith }: ConnectContext,
): string[] {
  const there = document?.entries.find(({ name }) => name === entryName)
  const isOff = app.off && isDeepStrictEqual(membersOf(there?.value)[app.off.key], app.off.value)
  const isOther = entryName !== ENTRY_NAME && !there
  return [
    ...(isOff ? [`The entry is turned off in ${app.name}. Turn it on there.`] : []),
    ...(isOther
      ? [`The file already has an entry ${ENTRY_NAME}, so this one is named ${entryName}.`]
      : []),
    ...sharedWith.map((name) => `${name} reads this file too and is connected by the same entry.`),
  ]
}

const EMPTY = /^[\s{}\uFEFF]*$/u

/**
 * Removes an entry, with what was created for it if that is then empty. If a recorded entry was replaced by another server, only the record
 * is removed. Throws NOT_FOUND for an unrecorded entry that doesn't lead to Patchbay.
 */
export function disconnectEdit(
  file: FoundFile,
  entryName: string,
  { ledger }: Pick<ConnectionContext, 'ledger'>,
): HostEdit {
  const before = writtenIn(file, ledger).find((one) => one.entryName === entryName)
  const entry = file.document?.entries.find(({ name }) => name === entryName)
  if (!before && !(entry && bridgeOf(entry.value)))
    throw new AppError('NOT_FOUND', `${file.path} has no entry ${entryName} for Patchbay.`)
  const forgotten = {
    kind: 'disconnect',
    entryNames: [entryName],
    written: { before, after: undefined },
  } as const
  if (entry && !bridgeOf(entry.value))
    return {
      ...forgotten,
      edit: (document) => document,
      notes: [`The entry ${entryName} no longer points to Patchbay, so it stays.`],
    }
  const edit: HostEdit['edit'] = (document) => without(document, entryName, before, file.app)
  const removesFile = file.document && entry && edit(file.document) === undefined
  const notes = removesFile ? ['The file has no other entries and is removed.'] : []
  return { ...forgotten, edit, notes }
}

function without(
  document: HostDocument,
  entryName: string,
  written: WrittenEntry | undefined,
  app: HostApp,
): HostDocument | undefined {
  if (!document.entries.some(({ name }) => name === entryName))
    throw new AppError('NOT_FOUND', `The entry ${entryName} no longer exists.`)
  const { madeLevels = 0, madeFile = false, vacant } = written ?? {}
  const remaining = document.without(entryName, { levels: madeLevels, vacant })
  const isAsMade = EMPTY.test(remaining.text) || remaining.text.trim() === app.newFile?.trim()
  return madeFile && isAsMade ? undefined : remaining
}
