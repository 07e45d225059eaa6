import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'

import {
  type ChildKeeper,
  type ChildNote,
  FORGETFUL_KEEPER,
} from '../../process/spawn/child-keeper'
import { followTree } from '../../process/spawn/follow-tree'
import { ProcessTree } from '../../process/tree/process-tree'
import { START_MARK } from '../../process/tree/start-mark'
import { startTimeOf, systemProcesses } from '../../process/tree/system-processes'
import { cleanEnvironment } from './clean-environment'

/** In characters; an environment is far shorter, and a profile may print for ever. */
const LONGEST_OUTPUT = 1_000_000
const DRAIN_MS = 250
/** Keeps profiles from asking and from opening another terminal. */
const NO_PROMPTS = { DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' }
/** What a shell sets for itself. */
const OWN = new Set(['_', 'PWD', 'OLDPWD', 'SHLVL', START_MARK, ...Object.keys(NO_PROMPTS)])

/** The variables that a shell has after its profile. */
export type ShellEnvironment = Readonly<Record<string, string>>

/** How a shell is started: as a login or interactive one, and whether it reads the question from stdin. */
export type ShellWay = {
  readonly options: string
  readonly isOnStdin?: true
}

/** A shell to ask, and where. */
export type ShellPlace = {
  readonly shell: string
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Remembers the shell while it is asked; what its profile leaves must be spared. */
  readonly keeper?: ChildKeeper | undefined
}

/** A question under way; `answer` is undefined where the shell gives none, and never rejects. */
export type ShellQuestion = Disposable & { readonly answer: Promise<ShellEnvironment | undefined> }

/**
 * Asks a shell for its environment, for at most `limitMs` or until it is disposed. The shell leads a process group of its own, so
 * that a profile that hangs is ended with all that it started.
 */
export function askShell(place: ShellPlace, way: ShellWay, limitMs: number): ShellQuestion {
  const mark = `patchbay-${randomUUID()}`
  let spawned: SpawnedShell
  try {
    spawned = spawnShell(place, way, mark)
  } catch {
    // It cannot even be spawned: what is inherited is used.
    return { answer: Promise.resolve(undefined), [Symbol.dispose]: () => undefined }
  }
  const { child, forget } = spawned
  const { stdout } = child
  const answered = Promise.withResolvers<ShellEnvironment | undefined>()
  let said = ''
  let hasAnswered = false
  const answer = (): void => {
    // What the profile leaves running may hold the pipe for ever, and print.
    stdout.off('data', hear).destroy()
    hasAnswered = true
    answered.resolve(environmentIn(said, mark))
  }
  const finish = (): void => {
    isOver = true
    clearTimeout(timer)
    forget()
    answer()
  }
  let isOver = false
  const end = (): void => {
    if (isOver) return
    // Of one that has exited the number may be another group's by now.
    const hasExited = child.exitCode !== null || child.signalCode !== null
    if (!hasExited) endGroup(child.pid)
    finish()
  }
  const hear = (text: string): void => {
    said += text
    if (said.length > LONGEST_OUTPUT) end()
    else if (environmentIn(said, mark) !== undefined) answer()
  }
  let timer = setTimeout(end, limitMs)
  stdout.setEncoding('utf8').on('data', hear)
  child.once('error', finish) // no such shell: what is inherited is used
  child.once('exit', () => {
    clearTimeout(timer)
    forget()
    // Its last words may still be in the pipe.
    timer = setTimeout(finish, DRAIN_MS).unref()
  })
  return { answer: answered.promise, [Symbol.dispose]: () => (hasAnswered ? undefined : end()) }
}

type SpawnedShell = {
  readonly child: ChildProcessByStdio<Writable | null, Readable, null>
  readonly forget: () => void
}

/** `forget` ends the note of the shell: what a profile leaves on purpose, such as a key agent, is spared. */
function spawnShell(place: ShellPlace, way: ShellWay, mark: string): SpawnedShell {
  const { shell, platform, environment, home, keeper = FORGETFUL_KEEPER } = place
  const note = keeper.note({ command: shell })
  const list = '/usr/bin/env -0 2>/dev/null || /usr/bin/env'
  const script = `printf '%s\\n' '${mark}'; ${list}; printf '%s\\n' '${mark}'; exit`
  let follower: Disposable | undefined
  const forget = (): void => {
    follower?.[Symbol.dispose]()
    note.settle({ isTreeGone: true, isContainerGone: true })
  }
  try {
    const shared = {
      cwd: home,
      env: { ...cleanEnvironment(environment, platform), ...NO_PROMPTS, [START_MARK]: note.mark },
      detached: true,
    }
    const child = way.isOnStdin
      ? spawn(shell, [way.options], { ...shared, stdio: ['pipe', 'pipe', 'ignore'] })
      : spawn(shell, [way.options, script], { ...shared, stdio: ['ignore', 'pipe', 'ignore'] })
    // A shell that is gone reads nothing: its exit says so.
    child.stdin?.on('error', () => undefined).end(`${script}\n`)
    follower = noteShell(child, note)
    return { child, forget }
  } catch (error) {
    forget()
    throw error
  }
}

/** At once after the spawn: as long as that turn lasts the pid cannot pass to another process. */
function noteShell(child: ChildProcess, note: ChildNote): Disposable | undefined {
  const { pid } = child
  if (pid === undefined) return undefined // its error follows
  const startTime = startTimeOf(pid)
  note.started(pid, startTime)
  if (systemProcesses.readsMarks) return undefined
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
  return followTree(new ProcessTree({ pid, startTime, mark: note.mark, hasExited }), note)
}

function environmentIn(said: string, mark: string): ShellEnvironment | undefined {
  const [, listed, rest] = said.split(`${mark}\n`)
  if (listed === undefined || rest === undefined) return undefined
  // Without NULs, a line that names no variable belongs to the value before it.
  const items = listed.includes('\0') ? listed.split('\0') : listed.split(/\n(?=[A-Za-z_]\w*=)/u)
  const pairs = items.flatMap((item) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(item) ?? []
    return name === '' || OWN.has(name) ? [] : [[name, value] as const]
  })
  const variables = Object.fromEntries(pairs)
  return variables.PATH === undefined ? undefined : variables
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Gone, or (macOS, where all that is left are zombies) beyond this account.
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ESRCH', 'EPERM'].includes(code)) throw error
  }
}
