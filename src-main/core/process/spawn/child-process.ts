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
  type ChildKeeper,
  type ChildNote,
  type ChildRemains,
  FORGETFUL_KEEPER,
} from './child-keeper'
import {
  type ContainerOutcome,
  type ContainerRef,
  removeContainer,
  stopContainer,
} from './docker-container'
import { programFaultOrNone } from './program-fault'

export type ChildSpec = {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the child; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Remembers the child while anything of it is left. */
  readonly keeper?: ChildKeeper | undefined
  /** The name that Patchbay gave to the container which this command runs. */
  readonly containerName?: string | undefined
}

/** The container of a `docker run`; each call settles within its limit in ms, or at `signal`, and never rejects. */
type ChildContainer = {
  readonly name: string
  stop(limitMs: number, signal?: AbortSignal): Promise<ContainerOutcome>
  remove(limitMs: number): Promise<ContainerOutcome>
}

/** How a child ended: its code, or the signal that ended it. */
export type ChildExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** Bytes that a child has written to its stdout and was sent on its stdin so far. */
export type ByteCounts = { readonly bytesIn: number; readonly bytesOut: number }

/** A running child whose stderr is drained line by line from before its first byte until its exit (B1). */
export type RunningChild = {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Flows already; its lines are drained whoever listens besides. */
  readonly stderr: Readable
  /** Settles when the child itself has exited, whoever still holds its pipes. */
  readonly exited: Promise<ChildExit>
  /** Settles when stderr is read to its end, or after 250 ms: who holds the pipe may live on. */
  readonly drainStderr: () => Promise<void>
  readonly byteCounts: () => ByteCounts
  /** The child with all that it started. */
  readonly tree: ProcessTree
  readonly container: ChildContainer | undefined
  /** Takes note of what a stop left, and lets go of the pipes once they had the time to run dry. */
  readonly settle: (remains: ChildRemains) => void
}

const DRAIN_MS = 250
/** Where nobody holds the pipes any more, the last of a flood may still be on its way. */
const RUN_DRY_MS = 5_000

/**
 * Starts a child as the leader of its own process group, never through a shell. Rejects with
 * COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE or SPAWN_FAILED.
 */
export async function spawnChild(spec: ChildSpec, stderr: LineSink): Promise<RunningChild> {
  const { command, containerName } = spec
  const intake = lineReaderOf(stderr)
  const container =
    containerName === undefined ? undefined : { name: containerName, docker: command }
  const note = (spec.keeper ?? FORGETFUL_KEEPER).note({ command, container })
  try {
    const spawned = await spawnPiped(spec, note, intake)
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
      tree: treeOf(child, spawned, note),
      container: container && containerOf(container, spec.env),
      settle: (remains) => {
        note.settle(remains)
        void releasePipes(child, remains.isTreeGone ? RUN_DRY_MS : DRAIN_MS)
      },
    }
  } catch (error) {
    note.settle({ isTreeGone: true, isContainerGone: true })
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

async function spawnPiped(spec: ChildSpec, note: ChildNote, stderr: LineSink): Promise<Spawned> {
  const child = spawnOrThrow(spec, note.mark)
  const { pid } = child
  // Immediately: as long as this turn lasts the pid cannot pass to another process.
  const startTime = pid === undefined ? undefined : startTimeOf(pid)
  if (pid !== undefined) note.started(pid, startTime)
  const spawned = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.on('error', (error) => reject(spawnError(spec, error)))
  })
  // Without a free file descriptor there is a child without pipes, and its error follows.
  if (!isPiped(child)) {
    await spawned
    throw spawnError(spec, new Error('no pipes'))
  }
  // Who writes hears of its own failure; without a listener it would be an uncaught exception.
  child.stdin.on('error', () => undefined)
  const stderrEnded = drainLines(child.stderr, stderr)
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await spawned
  if (pid === undefined) throw spawnError(spec, new Error('no process ID'))
  return { child, pid, startTime, exited, stderrEnded }
}

/** The pipes of a child are sockets, whatever the types of Node say, and go on knowing it once they are closed. */
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
      // A group of its own, so that a stop reaches what the runner started; see process-tree.ts.
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    throw spawnError(spec, error as NodeJS.ErrnoException)
  }
}

function isPiped(child: ChildProcess): child is PipedProcess {
  // Node leaves them undefined, whatever its types say.
  return Boolean(child.stdin && child.stdout && child.stderr)
}

function treeOf(child: PipedProcess, spawned: Spawned, note: ChildNote): ProcessTree {
  const { pid, startTime, exited } = spawned
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  const tree = new ProcessTree({ pid, startTime, mark: note.mark, hasExited })
  const follower = systemProcesses.readsMarks ? undefined : followTree(tree, note)
  void exited.then(async () => {
    follower?.[Symbol.dispose]()
    // One that ends on its own with all that it started needs no stop.
    if (!(await tree.isAlive())) note.settle({ isTreeGone: true, isContainerGone: false })
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

/** Who lives on beyond our reach may hold the other ends for ever, and what nobody reads never ends. */
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

/** Why a child could not be started: COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE or SPAWN_FAILED, without quoting an argument. */
function spawnError(spec: ChildSpec, error: NodeJS.ErrnoException): AppError {
  // The system gives the same code for a program and for a folder that is not there.
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
  // Without a system's code the text may quote an argument.
  const said = error.syscall === undefined ? 'rejected by the system' : error.message
  return new AppError('SPAWN_FAILED', `${spec.command} couldn’t be started: ${said}.`, {
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
  const isAlone = process.platform === 'linux' && longest.bytes > LONGEST_VALUE
  const why = isAlone
    ? `${longest.name} has ${size}, but the system allows ${LONGEST_VALUE.toLocaleString('en-US')}`
    : `its arguments and variables together are too long for the system. The longest is ${longest.name} with ${size}`
  return new AppError('COMMAND_NOT_RUNNABLE', `${command} couldn’t be started: ${why}.`, {
    cause,
    hint: TOO_LONG_HINT,
  })
}

/** The longest argument, or variable with its name, that Linux takes; in bytes. */
export const LONGEST_VALUE = 131_071

/** What helps where one is longer, as a sentence. */
export const TOO_LONG_HINT =
  'Shorten the value, or put it into a file and enter the path of the file.'

/** When a tree is looked at after its start, in ms: immediately, when a wrapper has started the program proper, and when that has settled. */
const LOOKS_MS = [0, 2_000, 15_000]

/** Notes who belongs to a tree while it starts, for systems where that cannot be known later. Disposing ends it. */
export function followTree(tree: ProcessTree, note: ChildNote): Disposable {
  const timers = LOOKS_MS.map((ms) =>
    setTimeout(() => void tree.look().then((members) => note.seen(members)), ms).unref(),
  )
  return { [Symbol.dispose]: () => timers.forEach((timer) => clearTimeout(timer)) }
}
