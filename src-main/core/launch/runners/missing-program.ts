import { readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'

import { attempt } from '../../../../src-shared/domain/attempt'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../../src-shared/domain/running/failure-cause'
import { programName } from '../environment/manager-variables'
import type { CommandFinder, CommandSearch, FoundCommand } from './command-finder'
import { isProgram } from './resolve-command'

/** The product to install for a missing runner. */
const PARENT: Readonly<Record<RunnerName, string>> = {
  npx: 'npx comes with Node.js',
  uvx: 'uvx comes with uv',
  docker: 'docker comes with Docker, or with Podman',
  dnx: 'dnx comes with the .NET SDK 10',
}

/** Other names of programs, with the words of the equivalent command. */
const NEAR_NAMES: ReadonlyMap<string, readonly [program: string, ...more: string[]]> = new Map([
  ['python', ['python3']],
  ['python3', ['python']],
  ['pip', ['pip3']],
  ['node', ['nodejs']],
  ['nodejs', ['node']],
  ['docker', ['podman']],
  ['podman', ['docker']],
  ['bunx', ['bun', 'x']],
])

type Missing = Exclude<CommandSearch, FoundCommand>

/** Returns the runner that a command is, or comes with. */
export function runnerOf(command: string): RunnerName | undefined {
  const name = programName(command)
  return name === 'uv' ? 'uvx' : RunnerName.safeParse(name).data
}

/** Builds the message for a missing command. */
export function missingText(
  command: string,
  search: Missing,
): { readonly message: string; readonly hint: string } {
  if (search.kind === 'unusable') {
    return {
      message: `${command} is set to ${search.path}, which doesn’t exist.`,
      hint: 'Correct the path in Settings, or clear it to search automatically.',
    }
  }
  if (isAbsolute(command)) {
    return {
      message: `${command} doesn’t exist.`,
      hint: 'Correct the path of the command, then start again.',
    }
  }
  const invalid = invalidCommand(command)
  if (invalid) return { message: `${command} ${invalid.predicate}.`, hint: invalid.hint }
  const runner = runnerOf(command)
  const install = runner
    ? `${PARENT[runner]}. Install it, or set its path in Settings, then start again.`
    : `Install ${command}, or add its folder to PATH, then start again.`
  const { shellProblem, lookedIn } = search
  const searched = shellProblem && `${shellProblem}, so only ${lookedIn.join(':')} was searched.`
  return {
    message: `${command} was not found on this computer.`,
    hint: [searched, install].filter(Boolean).join(' '),
  }
}

/** Finds the program that a missing command may mean, with the step that uses it. */
export async function alternativeProgram(
  command: string,
  finder: Pick<CommandFinder, 'look' | 'setPath'>,
  home: string,
): Promise<FailureCause | undefined> {
  if (isAbsolute(command)) return alternativeVersion(command)
  const invalid = invalidCommand(command)
  return invalid ? meantProgram(invalid.meant(home), finder) : alternativeName(command, finder)
}

/** Finds the program that an invalid command means, if it exists. */
async function meantProgram(
  words: readonly string[],
  finder: Pick<CommandFinder, 'look'>,
): Promise<FailureCause | undefined> {
  const [program, ...more] = words
  const found = program === undefined ? undefined : await finder.look(program)
  if (program === undefined || found?.kind !== 'found') return undefined
  return {
    causeId: 'other-program-name',
    message: `${program} is at ${found.file}. Use ${words.join(' ')} as the command.`,
    step: { kind: 'setCommand', argv: [program, ...more] },
  }
}

/** Finds the same program under another name. */
async function alternativeName(
  command: string,
  finder: Pick<CommandFinder, 'look' | 'setPath'>,
): Promise<FailureCause | undefined> {
  const words = NEAR_NAMES.get(command)
  if (!words || finder.setPath(command) !== undefined) return undefined
  const found = await finder.look(words[0])
  if (found.kind !== 'found') return undefined
  const runner = runnerOf(command)
  const use = runner
    ? `Set it as the path of ${command} in Settings.`
    : `Use ${words.join(' ')} instead of ${command}.`
  return {
    causeId: 'other-program-name',
    message: `${command} isn’t installed, but ${words[0]} is at ${found.file}. ${use}`,
    step: runner ? { kind: 'setRunner', runner } : { kind: 'setCommand', argv: [...words] },
  }
}

/** Finds the same program in another version's folder, if the named one is gone. */
async function alternativeVersion(command: string): Promise<FailureCause | undefined> {
  const folder = missingFolder(command)
  if (folder === undefined) return undefined
  const relativePath = relative(folder, command)
  const parent = dirname(folder)
  const files = foldersIn(parent).map((name) => join(parent, name, relativePath))
  const there = await Promise.all(files.map((file) => isProgram(file)))
  const replacement = files.findLast((_, index) => there[index])
  if (replacement === undefined) return undefined
  const version = relative(parent, replacement).split(sep)[0] ?? ''
  return {
    causeId: 'version-gone',
    message: `${relative(parent, folder)} is no longer in ${parent}, but ${version} is. Use ${replacement}.`,
    step: { kind: 'setCommand', argv: [replacement] },
  }
}

/** Returns the first missing folder of a path, if it has a number in its name. */
function missingFolder(path: string): string | undefined {
  let gone = path
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (attempt(() => readdirSync(folder)))
      return gone !== path && /\d/u.test(relative(folder, gone)) ? gone : undefined
    gone = folder
  }
  return undefined
}

/** Sorted by version, newest last. */
function foldersIn(folder: string): string[] {
  const order = new Intl.Collator('en', { numeric: true })
  return readdirSync(folder).toSorted((a, b) => order.compare(a, b))
}

/** A text that doesn't name a program of this system. */
type InvalidCommand = {
  /** Completes a sentence, as in "… is a relative path". */
  readonly predicate: string
  /** Advice on what to enter instead. */
  readonly hint: string
  /** Words of the intended command; empty if unknown. */
  readonly meant: (home: string) => readonly string[]
}

const RESTART_HINT = 'then start again.'
const UNKNOWN = (): readonly string[] => []

/** Describes a text that doesn't name a program of this system; undefined for a plain name and for an absolute path. */
export function invalidCommand(
  command: string,
  isWindows = process.platform === 'win32',
): InvalidCommand | undefined {
  const [first = '', ...rest] = command.trim().split(/\s+/u)
  if (command.startsWith('~'))
    return {
      predicate: 'begins with “~”, which isn’t replaced here',
      hint: `Enter the full path, ${RESTART_HINT}`,
      meant: (home) => (/^~[\\/]/u.test(command) ? [join(home, command.slice(2))] : []),
    }
  if (!isWindows && /^[A-Za-z]:[\\/]/u.test(command))
    return {
      predicate: 'is a path of Windows',
      hint: `Enter the command as it is on this computer, ${RESTART_HINT}`,
      meant: () => [programName(command)],
    }
  if (/[\\/]/u.test(first))
    return {
      predicate: 'is a relative path',
      hint: `Enter the full path of the program, ${RESTART_HINT}`,
      meant: UNKNOWN,
    }
  if (rest.length > 0)
    return {
      predicate: 'is a whole command line, not a program',
      hint: `Enter ${first} as the command and the rest as its arguments, ${RESTART_HINT}`,
      // Only the user knows what the quotes mean.
      meant: () => (/["'\\]/u.test(command) ? [] : [first, ...rest]),
    }
  return isWindows ? undefined : windowsName(command)
}

function windowsName(command: string): InvalidCommand | undefined {
  const predicate = 'is a program of Windows'
  const baseName = programName(command)
  if (baseName.toLowerCase() === 'cmd')
    return {
      ...{ predicate, hint: `Enter what follows “/c” as the command, ${RESTART_HINT}` },
      meant: UNKNOWN,
    }
  if (baseName === command || baseName === '') return undefined
  return { predicate, hint: `Enter ${baseName} instead, ${RESTART_HINT}`, meant: () => [baseName] }
}
