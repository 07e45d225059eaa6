import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

import spawn from 'cross-spawn'

import { AppError } from '../../../src-shared/domain/app-error'
import { LineSplitter } from './line-splitter'

export type ChildSpec = {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

/** How a child ended: its code, or the signal that ended it. */
export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** A running child whose stderr is drained line by line from before its first byte until its exit (B1). */
export type RunningChild = {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when the child itself has exited, whoever still holds its pipes. */
  readonly exited: Promise<ChildExit>
  /** Settles when stderr is read to its end, or after 250 ms: who holds the pipe may live on. */
  readonly drainStderr: () => Promise<void>
}

const DRAIN_MS = 250

/**
 * Starts a child as the leader of its own process group, never through a shell. Rejects with
 * COMMAND_NOT_FOUND or SPAWN_FAILED.
 */
export async function spawnChild(
  spec: ChildSpec,
  onStderrLine: (line: string) => void,
): Promise<RunningChild> {
  const child = spawnOrThrow(spec)
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.on('error', (error) => reject(spawnError(spec, error)))
  })
  // Without a free file descriptor there is a child without pipes, and its error follows.
  if (!isPiped(child)) {
    await spawned
    throw spawnError(spec, new Error('it got no pipes'))
  }
  // Who writes hears of its own failure; without a listener it would be an uncaught exception.
  child.stdin.on('error', () => undefined)
  const stderrEnded = drainLines(child.stderr, onStderrLine)
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await spawned
  const { pid } = child
  if (pid === undefined) throw spawnError(spec, new Error('the system gave no process id'))
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    drainStderr: () => Promise.race([stderrEnded, delay(DRAIN_MS)]),
  }
}

function spawnOrThrow(spec: ChildSpec): ChildProcess {
  try {
    return spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      env: spec.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that a stop reaches what the runner started; see kill-tree.ts.
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    throw spawnError(spec, error as NodeJS.ErrnoException)
  }
}

function isPiped(child: ChildProcess): child is ChildProcessByStdio<Writable, Readable, Readable> {
  // Node leaves them undefined, whatever its types say.
  return Boolean(child.stdin && child.stdout && child.stderr)
}

/** Hands on every line of a stream; settles at its end and never rejects. */
export function drainLines(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const splitter = new LineSplitter(onLine)
  stream.on('data', (chunk: Buffer) => splitter.push(chunk))
  return new Promise((resolve) => {
    stream.once('end', () => splitter.end())
    stream.once('close', resolve)
    stream.once('error', (error) => onLine(`(the stream broke: ${error.message})`))
  })
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}

function spawnError(spec: ChildSpec, error: NodeJS.ErrnoException): AppError {
  // The system gives the same code for a program and for a folder that is not there.
  if (error.code === 'ENOENT' && spec.cwd !== undefined && !existsSync(spec.cwd)) {
    return new AppError('SPAWN_FAILED', `The folder ${spec.cwd} to run in is not there.`, {
      cause: error,
      hint: 'Create it, then start again.',
    })
  }
  if (error.code === 'ENOENT') {
    return new AppError('COMMAND_NOT_FOUND', `${spec.command} was not found.`, {
      cause: error,
      hint: `Install it, or check that it is on the PATH.`,
    })
  }
  if (error.code === 'E2BIG') {
    return new AppError(
      'SPAWN_FAILED',
      `${spec.command} could not be started: its values are too long.`,
      {
        cause: error,
        hint: 'The system limits the length of a command line and of one argument. Shorten the values.',
      },
    )
  }
  // Without a system's code the text may quote an argument.
  const said = error.syscall === undefined ? 'the system refused it' : error.message
  return new AppError('SPAWN_FAILED', `${spec.command} could not be started: ${said}.`, {
    cause: error,
    hint: 'Check that the file is a program that your account may run.',
  })
}
