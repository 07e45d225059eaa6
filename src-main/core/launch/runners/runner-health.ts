import { dirname, join } from 'node:path'

import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import type {
  RunnerAdvice,
  RunnerProblem,
} from '../../../../src-shared/domain/running/runner-advice'
import type { ProcessLedger } from '../../process/spawn/process-ledger'
import { queryProgram, type ResponseCache } from './ask-program'
import type { RunnerErrorCode } from './runner-error'

/** Reason why a runner can't start anything, with advice. */
export type RunnerFault = {
  readonly code: RunnerErrorCode
  readonly problem: RunnerProblem
  readonly message: string
  readonly hint: string
  readonly found?: RunnerAdvice['found']
}

/** A runner's health; `warnings` are sentences about one that still works. */
export type RunnerHealth = {
  readonly version?: string | undefined
  readonly runnerFault?: RunnerFault | undefined
  readonly warnings: readonly string[]
}

/** An existing runner and the means to check it. */
export type RunnerUnderTest = {
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly processLedger: ProcessLedger | undefined
  readonly answers: ResponseCache
  /** Finds a program on the PATH of `env`. */
  readonly locate: (command: string) => Promise<string | undefined>
  /** Whether to request versions again. */
  readonly fresh: boolean
}

const LIMIT_MS = 5_000
/** Older versions lack features that current servers need. */
const OLDEST_NODE = 18
const NEWEST_OLD_NODE = 19
const NOT_ALLOWED = /permission denied/i
const NOT_RUNNING = /cannot connect|docker daemon|error during connect|no such file|pipe/i

/** Checks a runner before a start: only what can stop the start, and only cheap checks. */
export async function healthForStart(
  runner: RunnerName,
  test: RunnerUnderTest,
): Promise<RunnerHealth> {
  if (runner === 'npx') return nodeHealth(test)
  return { runnerFault: runner === 'docker' ? await dockerProblem(test) : undefined, warnings: [] }
}

/** Checks a runner for Settings. */
export async function healthForSettings(
  runner: RunnerName,
  test: RunnerUnderTest,
): Promise<RunnerHealth> {
  switch (runner) {
    case 'npx': {
      const health = await nodeHealth(test)
      const node = (health.version ?? health.runnerFault) ? undefined : await test.locate('node')
      return node === undefined ? health : { ...health, warnings: await failureOf(test, node) }
    }
    case 'docker': {
      const version = await versionOf(test, test.file, 'Docker')
      return { version, runnerFault: await dockerProblem(test), warnings: [] }
    }
    case 'uvx': {
      const version = await versionOf(test, test.file, 'uv')
      return { version, warnings: version === undefined ? await failureOf(test, test.file) : [] }
    }
    case 'dnx': {
      const name = process.platform === 'win32' ? 'dotnet.exe' : 'dotnet'
      const sibling = join(dirname(test.file), name)
      return { version: await versionOf(test, sibling, '.NET SDK'), warnings: [] }
    }
  }
}

/** The output of a program without a version, such as a version manager's shim without a selected version. */
async function failureOf(
  { env, cwd, processLedger }: RunnerUnderTest,
  command: string,
): Promise<readonly string[]> {
  const response = await queryProgram(
    { command, args: ['--version'], env, cwd, processLedger },
    LIMIT_MS,
  )
  if (response.kind === 'silent') return [`${command} doesn’t say its version within 5 s.`]
  if (response.kind === 'failed') return [`${command} can’t run: ${response.reason}`]
  if (response.code === 0) return []
  const lines = response.text.split('\n').filter((line) => line.trim() !== '')
  return [
    `${command} can’t run (exit code ${String(response.code)}): ${lines.slice(0, 3).join(' ')}`,
  ]
}

/** npx and its servers run with the `node` next to npx or on the PATH. */
async function nodeHealth(test: RunnerUnderTest): Promise<RunnerHealth> {
  const node = await test.locate('node')
  if (node === undefined) {
    return {
      warnings: [],
      runnerFault: {
        code: 'COMMAND_NOT_FOUND',
        problem: 'missing',
        message: `npx is at ${test.file}, but Node.js was not found.`,
        hint: 'Install Node.js, or set the path of an npx that comes with Node.js.',
      },
    }
  }
  const version = await versionOf(test, node, 'Node.js')
  const major = Number(/(\d+)\./.exec(version ?? '')?.[1] ?? Number.NaN)
  if (version !== undefined && major < OLDEST_NODE) {
    return { version, warnings: [], runnerFault: tooOld(version, node) }
  }
  const isOld = version !== undefined && major <= NEWEST_OLD_NODE
  const warning = `${version ?? ''} no longer gets updates, and some servers need a newer version. Install Node.js 20 or later.`
  return { version, warnings: isOld ? [warning] : [] }
}

function tooOld(version: string, path: string): RunnerFault {
  return {
    code: 'RUNNER_TOO_OLD',
    problem: 'tooOld',
    message: `${version} is too old to run this server.`,
    hint: `Install Node.js ${String(OLDEST_NODE)} or later, or set the path of a newer npx.`,
    found: { path, version },
  }
}

async function dockerProblem(test: RunnerUnderTest): Promise<RunnerFault | undefined> {
  const { file: command, env, cwd, processLedger } = test
  const args = ['version', '--format', '{{.Server.Version}}']
  const response = await queryProgram({ command, args, env, cwd, processLedger }, LIMIT_MS)
  const found = { path: command }
  const shared = { code: 'RUNNER_NOT_RUNNING', problem: 'notRunning', found } as const
  switch (response.kind) {
    case 'silent':
      return {
        ...shared,
        message: 'Docker did not respond within 5 s.',
        hint: 'Docker may still be starting. Start the server again when Docker is up.',
      }
    case 'failed':
      return undefined // the start fails for the same reason and reports it
    case 'answered':
      if (response.code === 0) return undefined
      if (NOT_ALLOWED.test(response.text)) {
        return {
          ...shared,
          code: 'RUNNER_NOT_ALLOWED',
          message: 'You don’t have permission to use Docker.',
          hint: 'Add your account to the "docker" group (or use rootless Docker), log in again, then start the server.',
        }
      }
      // Any other output, such as an unknown option of a docker-like command, proves nothing.
      if (!NOT_RUNNING.test(response.text)) return undefined
      return {
        ...shared,
        message: 'Docker is installed but not running.',
        hint: 'Start Docker, then start the server again.',
      }
  }
}

/** Returns the version that a program reports; undefined if none. */
export async function queryVersion(
  test: RunnerUnderTest,
  command: string,
): Promise<string | undefined> {
  const { env, cwd, processLedger, fresh, answers } = test
  const spec = { command, args: ['--version'], env, cwd, processLedger }
  const numberIn = (text: string): string | undefined => /\d+\.\d+(\.\d+)?[\w.-]*/.exec(text)?.[0]
  return answers.query(spec, LIMIT_MS, numberIn, fresh)
}

async function versionOf(
  test: RunnerUnderTest,
  command: string,
  name: string,
): Promise<string | undefined> {
  const number = await queryVersion(test, command)
  return number === undefined ? undefined : `${name} ${number}`
}
