import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { ParsedInput } from '../../../src-shared/ipc/contract'
import { startText } from './store/store-change'

/** What of a catalog entry an installation is made of. */
export type SetUpEntry = Pick<CatalogEntry, 'server' | 'source' | 'sourceId' | 'proposed'>

/** What starts: the process that all agents share, one of an agent beside it, or one that serves nobody. */
export type StartKind = 'shared' | 'instance' | 'separate'

/** What a start reads of an installation, as one save left it. */
export type ReadForStart = {
  readonly installation: Installation
  /** By field. */
  readonly secrets: ReadonlyMap<string, string>
  /** Those that an earlier version alone has: they are to be hidden too. */
  readonly keptSecrets: readonly string[]
}

/** What the user typed about one installation. */
export type Draft = Readonly<Omit<ParsedInput<'installation.update'>, 'installationId' | 'start'>>

/** The name as it is kept. Throws INVALID_VALUES when it is empty, and NAME_TAKEN. */
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
    (one) => one.installationId !== installationId && isSameWord(one.name, name),
  )
  if (!isTaken) return name
  throw new AppError('NAME_TAKEN', `A server named ${name} already exists.`, {
    hint: 'Choose another name.',
  })
}

/** Whether two names or aliases count as one. */
export function isSameWord(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The name, numbered where another one has it. */
export function freeName(wanted: string, others: readonly { readonly name: string }[]): string {
  let name = wanted
  for (let copy = 2; others.some((one) => isSameWord(one.name, name)); copy += 1)
    name = `${wanted} ${String(copy)}`
  return name
}

/** The folder as it is kept: a relative one would mean another place for each way in. Throws INVALID_VALUES. */
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

/** Throws INVALID_VALUES where there are problems. */
export function checkValues(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return
  const text = problems.map((problem) => `${problem.label}: ${problem.message}`).join(' ')
  throw new AppError('INVALID_VALUES', `Not saved. ${text}`, {
    hint: 'Correct the fields, then save again.',
  })
}

/** A hash of what a page that changes an installation is made of; no secret goes in. */
export function revisionOf(installation: Installation): string {
  const parts = [installation.name, startText(installation)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Throws CHANGED_MEANWHILE where a page was made of an earlier state; without a revision nothing is checked. */
export function checkRevision(installation: Installation, revision: string | undefined): void {
  if (revision === undefined || revision === revisionOf(installation)) return
  throw new AppError(
    'CHANGED_MEANWHILE',
    'The server was changed in another window since you opened this page.',
    { hint: 'Open it again. Your input stays on this page until you leave it.' },
  )
}
