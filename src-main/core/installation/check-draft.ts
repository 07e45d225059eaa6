import { isAbsolute } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'

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

/** The name, numbered where an installation has it. */
export function freeName(wanted: string, installations: readonly Installation[]): string {
  let name = wanted
  for (let copy = 2; installations.some((one) => isSameWord(one.name, name)); copy += 1)
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
    {
      hint: 'Enter the full path, or leave it blank to use the home folder.',
    },
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
