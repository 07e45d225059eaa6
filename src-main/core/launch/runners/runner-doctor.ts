import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

import pLimit from 'p-limit'

import { AppError } from '../../../../src-shared/domain/app-error'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type {
  RunnerAdvice,
  RunnerSetup,
  RunnerView,
} from '../../../../src-shared/domain/running/runner-advice'
import { createRedactor } from '../../masking/redact'
import type { ChildExit } from '../../process/spawn/child-process'
import type { PrivateFolders } from '../../process/spawn/private-folders'
import type { ProcessLedger } from '../../process/spawn/process-ledger'
import { type ProgramFault, programFaultOrNone } from '../../process/spawn/program-fault'
import { programName } from '../environment/manager-variables'
import { addressPasswords } from '../paths/address-passwords'
import { ResponseCache, runProgram } from './ask-program'
import {
  CommandFinder,
  type CommandFinderOptions,
  type CommandSearch,
  type FoundCommand,
} from './command-finder'
import { alternativeProgram, invalidCommand, missingText, runnerOf } from './missing-program'
import { RunnerError } from './runner-error'
import {
  healthForSettings,
  healthForStart,
  queryVersion,
  type RunnerFault,
  type RunnerUnderTest,
} from './runner-health'
import { findSetup, type SetupContext, setupsFor } from './runner-setups'

type SetupRun = {
  readonly onLine: (line: string) => void
  /** Aborting ends the running step. */
  readonly signal: AbortSignal
}

function stepError(setup: RunnerSetup, command: string, exit: ChildExit): AppError {
  const how = exit.signal ?? `exit code ${String(exit.code)}`
  return new AppError('RUNNER_SETUP_FAILED', `"${setup.title}" failed (${command}: ${how}).`, {
    hint: 'Check the last lines of the log. Run the command in a terminal, choose another way, or set the path in Settings.',
  })
}

export type RunnerDoctorOptions = CommandFinderOptions & {
  /** Whether an administrator's command needs no password. */
  readonly isRoot: boolean
  /** Parent of the setups' working folders. */
  readonly folders: PrivateFolders
  /** Records the programs that are run for checks. */
  readonly processLedger?: ProcessLedger
  /** Records the steps of a setup; processes that outlive a step are spared. */
  readonly setupLedger?: ProcessLedger
}

/** Finds the commands of servers, checks whether they can run, and fixes them on consent. */
export class RunnerDoctor {
  readonly finder: CommandFinder
  readonly #responses = new ResponseCache()
  /** Runs one setup at a time: two installers would collide in the system's package database. */
  readonly #setupQueue = pLimit(1)

  constructor(private readonly options: RunnerDoctorOptions) {
    this.finder = new CommandFinder(options)
  }

  /**
   * Checks the program of a command before a server starts; `warnings` are sentences. Rejects with COMMAND_NOT_FOUND, RUNNER_TOO_OLD,
   * RUNNER_NOT_RUNNING or RUNNER_NOT_ALLOWED as a `RunnerError`, or with COMMAND_NOT_RUNNABLE.
   */
  async examine(command: string): Promise<FoundCommand & { readonly warnings: readonly string[] }> {
    const found = await this.finder.find(command)
    if (found.kind !== 'found')
      throw faultIn(command, found) ?? (await this.#missing(command, found))
    const fault = programFaultOrNone(found.file)
    if (fault) throw notRunnable(found.file, fault)
    const runner = RunnerName.safeParse(programName(command)).data
    if (runner === undefined) return { ...found, warnings: [] }
    const { runnerFault, warnings } = await healthForStart(
      runner,
      await this.#underTest(found, false),
    )
    if (runnerFault) throw await this.#faultError(runner, runnerFault)
    return { ...found, warnings }
  }

  /** Returns the version that a program reports; undefined if it is missing or reports none. */
  async versionOf(command: string): Promise<string | undefined> {
    const found = await this.finder.find(command)
    if (found.kind !== 'found') return undefined
    return queryVersion(await this.#underTest(found, false), found.file)
  }

  /** Returns every runner for Settings; `fresh` bypasses caches. */
  async list(fresh: boolean): Promise<RunnerView[]> {
    if (fresh) await this.options.loginShell.refresh()
    return Promise.all(RunnerName.options.map((runner) => this.#view(runner, fresh)))
  }

  /** Returns the runners whose program exists, without running any. */
  async find(): Promise<RunnerName[]> {
    const searches = RunnerName.options.map(async (runner) => {
      const found = await this.finder.find(runner, { again: false })
      return found.kind === 'found' ? [runner] : []
    })
    return (await Promise.all(searches)).flat()
  }

  /**
   * Runs a known setup of this platform. Rejects with NOT_FOUND for another id, with RUNNER_SETUP_FAILED as a `RunnerError`, or with the
   * signal's reason after its process has ended.
   */
  async setUp(setupId: string, run: SetupRun): Promise<void> {
    const { runner, setup } = await this.findSetup(setupId)
    await this.#setupQueue(async () => {
      run.signal.throwIfAborted()
      const env = await this.finder.environmentFor({}, [], 'runner')
      // A proxy's address contains its password.
      const redact = createRedactor(addressPasswords(env))
      try {
        const onLine = (line: string): void => run.onLine(redact(line))
        await this.#runSteps(setup, env, { ...run, onLine })
      } catch (error) {
        if (run.signal.aborted || !(error instanceof AppError)) throw error
        const advice = await this.#advice(runner, { problem: 'missing' })
        throw new RunnerError('RUNNER_SETUP_FAILED', error.message, error.hint, advice)
      }
    })
    await this.options.loginShell.refresh()
  }

  /** Finds a setup; rejects with NOT_FOUND if no such setup can run on this computer. */
  async findSetup(setupId: string): Promise<NonNullable<Awaited<ReturnType<typeof findSetup>>>> {
    const known = await findSetup(setupId, this.#setupContext)
    if (known?.setup.canRun) return known
    throw new AppError('NOT_FOUND', 'This setup isn’t available on this computer.', {
      hint: 'Start the server again to see the available setups.',
    })
  }

  get #setupContext(): SetupContext {
    const { place, isRoot } = this.options
    const { platform } = place
    return {
      platform,
      isRoot,
      hasProgram: async (command) => (await this.finder.look(command)).kind === 'found',
    }
  }

  /** Runs the steps of a setup in order in their own folder, which is removed afterwards. */
  async #runSteps(
    setup: RunnerSetup,
    env: Readonly<Record<string, string>>,
    run: SetupRun,
  ): Promise<void> {
    const { folders, setupLedger: processLedger } = this.options
    const folder = await folders.create('setup')
    try {
      for (const { command, args } of setup.steps) {
        run.signal.throwIfAborted()
        run.onLine(`$ ${[command, ...args].join(' ')}`)
        const found = await this.finder.find(command)
        if (found.kind !== 'found') throw await this.#missing(command, found)
        const spec = { command: found.file, args, env, cwd: folder.path, processLedger }
        // An installer may leave a service running on purpose.
        const exit = await runProgram(spec, { ...run, leavesRest: true })
        run.signal.throwIfAborted()
        if (exit.code !== 0) throw stepError(setup, command, exit)
      }
    } finally {
      await folder.remove()
    }
  }

  async #underTest(found: FoundCommand, fresh: boolean): Promise<RunnerUnderTest> {
    const env = await this.finder.environmentFor({}, found.folders)
    return {
      file: found.file,
      env,
      cwd: this.options.place.home,
      processLedger: this.options.processLedger,
      answers: this.#responses,
      locate: (command) => this.finder.onPathOf(env, command),
      fresh,
    }
  }

  async #view(runner: RunnerName, fresh: boolean): Promise<RunnerView> {
    const source = this.finder.setPath(runner) === undefined ? 'found' : 'set'
    const found = await this.finder.find(runner, { again: false })
    if (found.kind !== 'found') {
      return { runner, source, problem: missingText(runner, found).message }
    }
    const health = await healthForSettings(runner, await this.#underTest(found, fresh))
    const problem = health.runnerFault?.message ?? health.warnings[0]
    return { runner, source, path: found.file, version: health.version, problem }
  }

  async #missing(
    command: string,
    search: Exclude<CommandSearch, FoundCommand>,
  ): Promise<RunnerError> {
    const { message, hint } = missingText(command, search)
    const lookedIn = search.kind === 'missing' ? [...search.lookedIn] : [search.path]
    const advice = await this.#advice(command, { problem: 'missing', lookedIn })
    const cause = await alternativeProgram(command, this.finder, this.options.place.home)
    return new RunnerError('COMMAND_NOT_FOUND', message, hint, advice, cause)
  }

  async #faultError(command: RunnerName, runnerFault: RunnerFault): Promise<RunnerError> {
    const { code, message, hint, problem, found } = runnerFault
    return new RunnerError(code, message, hint, await this.#advice(command, { problem, found }))
  }

  async #advice(
    command: string,
    parts: Partial<RunnerAdvice> & Pick<RunnerAdvice, 'problem'>,
  ): Promise<RunnerAdvice> {
    // A text that names no program has nothing to install.
    const runner = invalidCommand(command) ? undefined : runnerOf(command)
    const setups = runner ? await setupsFor(runner, parts.problem, this.#setupContext) : []
    return { command, runner, lookedIn: [], setups, ...parts }
  }
}

/** Describes the failure of a command whose file exists but can't run; a folder on PATH isn't such a file. */
function faultIn(
  command: string,
  search: Exclude<CommandSearch, FoundCommand>,
): AppError | undefined {
  if (search.kind === 'unusable') {
    const fault = programFaultOrNone(search.path)
    return fault && notRunnable(`${command} is set to ${search.path}, which`, fault)
  }
  if (isAbsolute(command)) {
    const fault = programFaultOrNone(command)
    return fault && notRunnable(command, fault)
  }
  for (const folder of search.lookedIn) {
    const file = join(folder, command)
    const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
    const fault = isFolder ? undefined : programFaultOrNone(file)
    if (fault) return notRunnable(file, fault)
  }
  return undefined
}

function notRunnable(subject: string, { predicate, hint }: ProgramFault): AppError {
  return new AppError('COMMAND_NOT_RUNNABLE', `${subject} ${predicate}.`, { hint })
}
