import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { isAbsolute } from 'node:path'
import type { Readable, Writable } from 'node:stream'

import spawn from 'cross-spawn'

import { AppError } from '../../../../src-shared/domain/app-error'
import { within } from '../../lifecycle/time-limit'
import { drainLines, lineReaderOf, type LineSink } from '../../lines/line-reader'
import { START_MARK } from '../tree/process-table'
import { ProcessTree } from '../tree/process-tree'
import { startTimeOf, systemProcesses } from '../tree/system-processes'
import {
  type ContainerOutcome,
  type ContainerRef,
  removeContainer,
  stopContainer,
} from './docker-container'
import { type ChildEnd, type ChildRecorder, NO_LEDGER, type ProcessLedger } from './process-ledger'
import { programFaultOrNone } from './program-fault'

export type ChildSpec = {
  readonly command: string
  readonly args: readonly string[]
  /** The child's whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Records the child while anything of it is left. */
  readonly processLedger?: ProcessLedger | undefined
  /** Name that Patchbay gave the command's container. */
  readonly containerName?: string | undefined
}

/** The container of `docker run`. Each call settles within its limit in ms, or when `signal` is aborted, and never rejects. */
type ChildContainer = {
  readonly name: string
  stop(limitMs: number, signal?: AbortSignal): Promise<ContainerOutcome>
  remove(limitMs: number): Promise<ContainerOutcome>
}

/** Exit code of a child, or the signal that ended it. */
export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Bytes read from a child's stdout and written to its stdin so far. */
export type ByteCounts = { readonly bytesIn: number; readonly bytesOut: number }

/** A running child whose stderr is drained line by line from its first byte until its exit (B1). */
export type RunningChild = {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Already flowing; lines are drained regardless of other listeners. */
  readonly stderr: Readable
  /** Settles when the child has exited, even if another process holds its pipes. */
  readonly exited: Promise<ChildExit>
  /** Settles when stderr has ended, or after 250 ms: another process may hold the pipe. */
  readonly drainStderr: () => Promise<void>
  readonly byteCounts: () => ByteCounts
  /** The child and all its descendants. */
  readonly tree: ProcessTree
  readonly container: ChildContainer | undefined
  /** Records what a stop left, and closes the pipes after giving them time to drain. */
  readonly finish: (remains: ChildEnd) => void
}

const DRAIN_MS = 250
/** Time for a drained pipe to deliver the rest of a flood, in ms. */
const RUN_DRY_MS = 5_000

/**
 * Spawns a child as the leader of its own process group, never through a shell. Rejects with COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE or
 * SPAWN_FAILED.
 */
export async function spawnChild(spec: ChildSpec, stderr: LineSink): Promise<RunningChild> {
  const { command, containerName } = spec
  const intake = lineReaderOf(stderr)
  const container =
    containerName === undefined ? undefined : { name: containerName, docker: command }
  const recorder = (spec.processLedger ?? NO_LEDGER).add({ command, container })
  try {
    const spawned = await spawnPiped(spec, recorder, intake)
    const { child, pid, exited, stderrEnded } = spawned
    return {
      pid,
      stdin: child.stdin,
      stdout: child.stdout,
      stderr: child.stderr,
      exited,
      drainStderr: async () => {
        await within(DRAIN_MS, stderrEnded, () => undefined)
        intake.flush()
      },
      byteCounts: () => messageLogOf(child),
      tree: treeOf(child, spawned, recorder),
      container: container && containerOf(container, spec.env),
      finish: (remains) => {
        recorder.finished(remains)
        void releasePipes(child, remains.isTreeGone ? RUN_DRY_MS : DRAIN_MS)
      },
    }
  } catch (error) {
    recorder.finished({ isTreeGone: true, isContainerGone: true })
    throw error
  }
}

type Spawned = {
  readonly child: PipedProcess
  readonly pid: number
  readonly startTime: string | undefined
  readonly exited: Promise<ChildExit>
  readonly stderrEnded: Promise<void>
}

type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>

async function spawnPiped(
  spec: ChildSpec,
  recorder: ChildRecorder,
  stderr: LineSink,
): Promise<Spawned> {
  const child = spawnOrThrow(spec, recorder.mark)
  const { pid } = child
  // Read in the same tick, before the pid can pass to another process.
  const startTime = pid === undefined ? undefined : startTimeOf(pid)
  if (pid !== undefined) recorder.started(pid, startTime)
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.on('error', (error) => reject(spawnError(spec, error)))
  })
  // Without a free file descriptor the child has no pipes, and its error follows.
  if (!isPiped(child)) {
    await spawned
    throw spawnError(spec, new Error('no pipes'))
  }
  // Writers get their own error; without a listener it would be an uncaught exception.
  child.stdin.on('error', () => undefined)
  const stderrEnded = drainLines(child.stderr, stderr)
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await spawned
  if (pid === undefined) throw spawnError(spec, new Error('no process ID'))
  return { child, pid, startTime, exited, stderrEnded }
}

/** The pipes of a child are sockets, contrary to Node's types, and keep their counts after closing. */
function messageLogOf({ stdin, stdout }: PipedProcess): ByteCounts {
  return {
    bytesIn: (stdout as Partial<Socket>).bytesRead ?? 0,
    bytesOut: (stdin as Partial<Socket>).bytesWritten ?? 0,
  }
}

function spawnOrThrow(spec: ChildSpec, mark: string): ChildProcess {
  try {
    return spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env, [START_MARK]: mark },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // In its own group, a stop reaches what the runner started; see process-tree.ts.
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    throw spawnError(spec, error as NodeJS.ErrnoException)
  }
}

function isPiped(child: ChildProcess): child is PipedProcess {
  // Node leaves them undefined, contrary to its types.
  return Boolean(child.stdin && child.stdout && child.stderr)
}

function treeOf(child: PipedProcess, spawned: Spawned, recorder: ChildRecorder): ProcessTree {
  const { pid, startTime, exited } = spawned
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  const tree = new ProcessTree({ pid, startTime, mark: recorder.mark, hasExited })
  const follower = systemProcesses.readsMarks ? undefined : followTree(tree, recorder)
  void exited.then(async () => {
    follower?.[Symbol.dispose]()
    // A child that exits with its whole tree needs no stop.
    if (!(await tree.isAlive())) recorder.finished({ isTreeGone: true, isContainerGone: false })
  })
  return tree
}

function containerOf(container: ContainerRef, env: ChildSpec['env']): ChildContainer {
  return {
    name: container.name,
    stop: (limitMs, signal) => stopContainer(container, env, limitMs, signal),
    remove: (limitMs) => removeContainer(container, env, limitMs),
  }
}

/** A process out of reach may hold the other ends forever, and an unread pipe never ends. */
async function releasePipes(child: PipedProcess, limitMs: number): Promise<void> {
  const pipes = [child.stdin, child.stdout, child.stderr]
  const closed = Promise.all(pipes.map((pipe) => untilClosed(pipe)))
  await within(limitMs, closed, () => undefined)
  for (const pipe of pipes) pipe.destroy()
}

function untilClosed(pipe: Readable | Writable): Promise<void> {
  if (pipe.closed) return Promise.resolve()
  return new Promise((resolve) => pipe.once('close', resolve))
}

/** Why a child couldn't be started: COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE or SPAWN_FAILED, without quoting an argument. */
function spawnError(spec: ChildSpec, error: NodeJS.ErrnoException): AppError {
  // The system uses one code for a missing program and a missing folder.
  if (error.code === 'ENOENT' && spec.cwd !== undefined && !existsSync(spec.cwd)) {
    return new AppError('SPAWN_FAILED', `The working folder ${spec.cwd} doesn’t exist.`, {
      cause: error,
      hint: 'Create it, then start again.',
    })
  }
  const fault = programFaultOrNone(spec.command)
  if (fault) {
    const message = `${spec.command} ${fault.predicate}.`
    return new AppError('COMMAND_NOT_RUNNABLE', message, { cause: error, hint: fault.hint })
  }
  if (error.code === 'ENOENT' && !(isAbsolute(spec.command) && existsSync(spec.command))) {
    return new AppError('COMMAND_NOT_FOUND', `${spec.command} was not found.`, {
      cause: error,
      hint: 'Install it, or check that it is on PATH.',
    })
  }
  if (error.code === 'ENOENT') {
    return new AppError(
      'COMMAND_NOT_RUNNABLE',
      `${spec.command} couldn’t be started: the system loader that it needs doesn’t exist.`,
      { cause: error, hint: 'Get a build of it for this system.' },
    )
  }
  if (error.code === 'E2BIG') return tooLongError(spec, error)
  // Without a system code, the message may quote an argument.
  const reason = error.syscall === undefined ? 'rejected by the system' : error.message
  return new AppError('SPAWN_FAILED', `${spec.command} couldn’t be started: ${reason}.`, {
    cause: error,
    hint: 'Check that the file is a program you have permission to run.',
  })
}

function tooLongError({ command, args, env }: ChildSpec, cause: Error): AppError {
  const sizes = [
    ...args.map((text, index) => ({
      name: `argument ${index + 1}`,
      bytes: Buffer.byteLength(text),
    })),
    ...Object.entries(env).map(([name, value]) => ({
      name: `the variable ${name}`,
      bytes: Buffer.byteLength(`${name}=${value}`),
    })),
  ]
  const longest = sizes.reduce((one, other) => (other.bytes > one.bytes ? other : one), {
    name: 'the command',
    bytes: 0,
  })
  const size = `${longest.bytes.toLocaleString('en-US')} bytes`
  const isAlone = process.platform === 'linux' && longest.bytes > MAX_VALUE_LENGTH
  const why = isAlone
    ? `${longest.name} has ${size}, but the system allows ${MAX_VALUE_LENGTH.toLocaleString('en-US')}`
    : `its arguments and variables together are too long for the system. The longest is ${longest.name} with ${size}`
  return new AppError('COMMAND_NOT_RUNNABLE', `${command} couldn’t be started: ${why}.`, {
    cause,
    hint: TOO_LONG_HINT,
  })
}

/** Longest argument, or variable with its name, that Linux accepts, in bytes. */
export const MAX_VALUE_LENGTH = 131_071

/** The hint for a longer one. */
export const TOO_LONG_HINT =
  'Shorten the value, or put it into a file and enter the path of the file.'

/** When to look at a tree after its start, in ms: immediately, when a wrapper has started the program itself, and once that has settled. */
const SCAN_MS = [0, 2_000, 15_000]

/** Records the members of a tree while it starts, for systems where they can't be found later. Dispose to stop. */
export function followTree(tree: ProcessTree, recorder: ChildRecorder): Disposable {
  const timers = SCAN_MS.map((ms) =>
    setTimeout(() => void tree.look().then((members) => recorder.seen(members)), ms).unref(),
  )
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearTimeout(timer)) }
}
