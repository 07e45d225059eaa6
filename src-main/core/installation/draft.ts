import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import { startText } from './store/store-change'

/** The parts of a catalog entry that an installation needs. */
export type SetUpEntry = Pick<CatalogEntry, 'server' | 'source' | 'sourceId' | 'proposed'>

/** Kind of process: shared by all agents, an agent's own instance, or separate without agents. */
export type StartKind = 'shared' | 'instance' | 'separate'

/** The data of an installation for a start, from one consistent save. */
export type ReadForStart = {
  readonly installation: Installation
  /** By field. */
  readonly secrets: ReadonlyMap<string, string>
  /** Secrets of earlier versions only, which must be masked, too. */
  readonly keptSecrets: readonly string[]
}

/** The user's input for an installation. */
export type Draft = Readonly<Omit<ParsedInput<'installation.update'>, 'installationId' | 'start'>>

/** Returns the trimmed name. Throws INVALID_VALUES if it is empty, and NAME_TAKEN. */
export function checkName(
  wanted: string,
  installationId: string,
  installations: readonly Installation[],
): string {
  const name = wanted.trim()
  if (name === '') {
    throw new AppError('INVALID_VALUES', 'Enter a name for the server.', {
      hint: 'Each server needs a name.',
    })
  }
  const isTaken = installations.some(
    (one) => one.installationId !== installationId && isSameName(one.name, name),
  )
  if (!isTaken) return name
  throw new AppError('NAME_TAKEN', `A server named ${name} already exists.`, {
    hint: 'Choose another name.',
  })
}

/** Whether two names or aliases are equal, ignoring case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Returns the name, numbered if it is taken. */
export function uniqueName(wanted: string, others: readonly { readonly name: string }[]): string {
  let name = wanted
  for (let copy = 2; others.some((one) => isSameName(one.name, name)); copy += 1)
    name = `${wanted} ${String(copy)}`
  return name
}

/** Returns the trimmed folder; a relative one would depend on how Patchbay was started. Throws INVALID_VALUES. */
export function checkFolder(cwd: string | undefined): string | undefined {
  const folder = cwd?.trim() ?? ''
  if (folder === '') return undefined
  if (isAbsolute(folder) && !folder.includes('\0')) return folder
  throw new AppError(
    'INVALID_VALUES',
    `Not saved. The working folder isn’t an absolute path: ${folder}`,
    { hint: 'Enter the full path, or leave it blank to use the home folder.' },
  )
}

/** Throws INVALID_VALUES if there are problems. */
export function checkValues(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  const text = problems.map((problem) => `${problem.label}: ${problem.message}`).join(' ')
  throw new AppError('INVALID_VALUES', `Not saved. ${text}`, {
    hint: 'Correct the fields, then save again.',
  })
}

/** Returns a hash of an installation's editable state; contains no secret. */
export function revisionOf(installation: Installation): string {
  const parts = [installation.name, startText(installation)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Throws CHANGED_MEANWHILE if a page shows an earlier state; checks nothing without a revision. */
export function checkRevision(installation: Installation, revision: string | undefined): void {
  if (revision === undefined || revision === revisionOf(installation)) return
  throw new AppError(
    'CHANGED_MEANWHILE',
    'The server was changed in another window since you opened this page.',
    { hint: 'Open it again. Your input stays on this page until you leave it.' },
  )
}
