import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'

import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'

/** The command, folder and home of a start. */
export type StartPlace = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly home: string
}

/** Files that mark a project folder. */
const MARKS = ['package.json', '.git', 'pyproject.toml', 'go.mod', 'Cargo.toml', '.env']
const ENV_FILES = ['.env', '.env.local']
/** Parent folders of a program to search. */
const MAX_PARENTS = 6
const MAX_FILE_LENGTH = 256 * 1024
const VARIABLE_CAUSES = new Set(['variable-missing', 'variables-missing', 'variable-either'])
const FILE_CAUSES = new Set(['file-missing', 'node-file-missing'])

/**
 * Adds the program's folder to the cause if the missing item is there and the server runs in another folder: a variable in its `.env`, or a
 * file with a relative path.
 */
export function withProgramFolder(cause: FailureCause, place: StartPlace): FailureCause {
  for (const folder of programFolders(place)) {
    const found = foundIn(folder, cause, place)
    if (found === undefined) continue
    const reason = `${found} is in ${folder}, but the server runs in ${place.cwd}.`
    return {
      ...cause,
      message: `${cause.message} ${reason}`,
      step: { kind: 'runInFolder', folder },
      isPermanent: true,
    }
  }
  return cause
}

/** The missing item, by its name in the folder. */
function foundIn(folder: string, cause: FailureCause, place: StartPlace): string | undefined {
  if (VARIABLE_CAUSES.has(cause.causeId) && cause.step.kind === 'configure') {
    const { variable } = cause.step
    return ENV_FILES.find((name) => variable !== undefined && sets(join(folder, name), variable))
  }
  if (!FILE_CAUSES.has(cause.causeId)) return undefined
  const named = /: (.{1,1000}?)\. Check the path\.$/u.exec(cause.message)?.[1] ?? ''
  const file = isAbsolute(named) ? relative(place.cwd, named) : named
  const isInside = file !== '' && !file.startsWith('..') && !isAbsolute(file)
  return isInside && existsSync(join(folder, file)) ? file : undefined
}

/** The project folders of the script and the program, the script's first. */
function programFolders({ command, args, cwd, home }: StartPlace): string[] {
  const files = [...args, command].filter((text) => isAbsolute(text) && isFile(text))
  const folders = files.flatMap((file) => projectOf(file, home) ?? [])
  return [...new Set(folders)].filter((folder) => folder !== cwd)
}

function projectOf(file: string, home: string): string | undefined {
  let folder = dirname(file)
  for (let up = 0; up < MAX_PARENTS && folder !== dirname(folder) && folder !== home; up += 1) {
    // Python environments and npm modules are parts of a project.
    const isPart = /^(?:bin|node_modules|\.venv|venv|Scripts)$/u.test(basename(folder))
    if (!isPart && MARKS.some((mark) => existsSync(join(folder, mark)))) return folder
    folder = dirname(folder)
  }
  return undefined
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function sets(file: string, variable: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? Infinity
  if (size > MAX_FILE_LENGTH) return false
  const line = new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*=\\s*\\S`, 'mu')
  return /^\w+$/u.test(variable) && line.test(readFileSync(file, 'utf8'))
}
