import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'

import { attempt } from '../../../../src-shared/domain/attempt'

/** Why an existing file can't run. */
export type ProgramFault = {
  /** Continues the file's name, as in "… is a folder". */
  readonly predicate: string
  readonly hint: string
}

/** More than the first line that a system reads, in bytes. */
const HEAD_BYTES = 512
const MAX_LINKS = 40

/** The fault of a program file; undefined if it doesn't exist or no fault is visible. */
export function programFault(file: string): ProgramFault | undefined {
  if (process.platform === 'win32' || !isAbsolute(file)) return undefined
  const link = danglingTarget(file)
  if (link !== undefined) {
    return {
      predicate: `is a link to ${link}, which doesn’t exist`,
      hint: 'Recreate the environment or link that the file belongs to, or correct the command.',
    }
  }
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  return faultOfFile(file, stats) ?? faultOfHead(file)
}

/** Like `programFault`, but undefined if the file may not be read: a program may be executable without being readable. */
export function programFaultOrNone(file: string): ProgramFault | undefined {
  return attempt(() => programFault(file))
}

/** The target of a chain of links that leads to nothing. */
function danglingTarget(file: string): string | undefined {
  let at = file
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (!stats) return links === 0 ? undefined : at
    if (!stats.isSymbolicLink()) return undefined
    at = resolve(dirname(at), readlinkSync(at))
  }
  return at
}

function faultOfFile(file: string, stats: Stats): ProgramFault | undefined {
  if (stats.isDirectory()) {
    return { predicate: 'is a folder', hint: 'Enter a program in it as the command.' }
  }
  if (!stats.isFile()) {
    return { predicate: 'is not a program file', hint: 'Correct the command.' }
  }
  if ((stats.mode & 0o111) === 0) {
    return {
      predicate: 'is not marked as executable',
      hint: `Run "chmod +x" on the file, or start it with its interpreter, such as node or python3.`,
    }
  }
  try {
    accessSync(file, constants.X_OK)
    return undefined
  } catch {
    return {
      predicate: 'can’t be run by your account',
      hint: 'Change the permissions of the file, then start again.',
    }
  }
}

function faultOfHead(file: string): ProgramFault | undefined {
  const head = headOf(file)
  if (head.subarray(0, 2).toString('latin1') === '#!') return faultOfFirstLine(head)
  if (!isForeign(head)) return undefined
  return {
    predicate: 'was built for another processor or system',
    hint: `Get the build for ${process.platform} on ${process.arch}.`,
  }
}

function faultOfFirstLine(head: Buffer): ProgramFault | undefined {
  const [line = '', ...rest] = head.toString('utf8').slice(2).split('\n')
  if (rest.length === 0) return undefined
  if (line.endsWith('\r')) {
    return {
      predicate: 'can’t run because its first line ends in a Windows line break (CRLF)',
      hint: 'Save the file with Unix line breaks (LF), then start again.',
    }
  }
  const interpreter = /^[ \t]*(\S+)/.exec(line)?.[1] ?? ''
  if (!isAbsolute(interpreter) || existsSync(interpreter)) return undefined
  return {
    predicate: `can’t run because its first line names ${interpreter}, which doesn’t exist`,
    hint: 'If the project was moved, recreate its environment. Otherwise correct the first line.',
  }
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    return head.subarray(0, readSync(descriptor, head))
  } finally {
    closeSync(descriptor)
  }
}

/** ELF machines that a processor runs, by Node's architecture name. */
const MACHINES: Readonly<Record<string, readonly number[]>> = {
  x64: [62, 3],
  ia32: [3],
  arm64: [183, 40],
  arm: [40],
  riscv64: [243],
  loong64: [258],
}

/** Whether a file is a program for another processor or system without a registered emulator. */
function isForeign(head: Buffer): boolean {
  const magic = head.toString('latin1', 0, 4)
  const isElf = magic === '\u007FELF'
  const isMach = ['\u00CF\u00FA\u00ED\u00FE', '\u00CE\u00FA\u00ED\u00FE'].includes(magic)
  if (process.platform !== 'linux') return process.platform === 'darwin' && isElf
  if (!isElf) return isMach
  const machines = MACHINES[process.arch]
  if (!machines || head.length < 20) return false
  const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18)
  return !machines.includes(machine) && !hasEmulators()
}

function hasEmulators(): boolean {
  const folder = '/proc/sys/fs/binfmt_misc'
  if (!existsSync(folder)) return false
  return readdirSync(folder).some((name) => name !== 'register' && name !== 'status')
}
