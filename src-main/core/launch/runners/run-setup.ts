import { AppError } from '../../../../src-shared/domain/app-error'
import type { RunnerSetup } from '../../../../src-shared/domain/running/runner-advice'
import { drainLines } from '../../lines/line-intake'
import type { ChildKeeper } from '../../process/spawn/child-keeper'
import type { ChildExit, ChildSpec } from '../../process/spawn/child-process'
import { spawnChild } from '../../process/spawn/child-process'
import { DEFAULT_STOP_GRACE, GracefulStop } from '../../process/spawn/graceful-stop'
import type { PrivateFolders } from '../../process/spawn/private-folders'

/** Installers do not read stdin, so there is nothing to wait for before SIGTERM; in ms. */
const STOP_GRACE = { ...DEFAULT_STOP_GRACE, stdinMs: 0 }

export type SetupRun = {
  /** Full path of a command; rejects when it is not there. */
  readonly resolve: (command: string) => Promise<string>
  readonly env: Readonly<Record<string, string>>
  readonly folders: PrivateFolders
  /** Remembers each step while it runs. */
  readonly keeper?: ChildKeeper | undefined
  readonly onLine: (line: string) => void
  /** Aborting ends the step that runs. */
  readonly signal: AbortSignal
}

/**
 * Runs the steps of a setup one after the other in a folder of their own, which is removed afterwards.
 * Rejects with RUNNER_SETUP_FAILED when one fails, or with the reason of `signal` once its process is gone.
 */
export async function runSetup(setup: RunnerSetup, run: SetupRun): Promise<void> {
  const folder = await run.folders.create('setup')
  try {
    for (const { command, args } of setup.steps) {
      run.signal.throwIfAborted()
      run.onLine(`$ ${[command, ...args].join(' ')}`)
      const { env, keeper } = run
      const spec = { command: await run.resolve(command), args, env, cwd: folder.path, keeper }
      const exit = await runStep(spec, run)
      run.signal.throwIfAborted()
      if (exit.code !== 0) throw stepError(setup, command, exit)
    }
  } finally {
    await folder.remove()
  }
}

async function runStep(spec: ChildSpec, { onLine, signal }: SetupRun): Promise<ChildExit> {
  const child = await spawnChild(spec, onLine)
  void drainLines(child.stdout, onLine)
  child.stdin.end()
  const stop = new GracefulStop(child, STOP_GRACE)
  const ending: { stopped?: Promise<void> } = {}
  const onAbort = (): void => {
    ending.stopped = stop.stop()
  }
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const exit = await child.exited
    await child.drainStderr()
    return exit
  } finally {
    signal.removeEventListener('abort', onAbort)
    // An installer may leave a service running that it was asked for; only a cancelled one is ended whole.
    if (ending.stopped) await ending.stopped
    else child.settle({ isTreeGone: true, isContainerGone: true })
  }
}

function stepError(setup: RunnerSetup, command: string, exit: ChildExit): AppError {
  const how = exit.signal ?? `exit code ${String(exit.code)}`
  return new AppError('RUNNER_SETUP_FAILED', `"${setup.title}" failed (${command}: ${how}).`, {
    hint: 'Check the last lines of the log. Run the command in a terminal, choose another way, or set the path in Settings.',
  })
}
