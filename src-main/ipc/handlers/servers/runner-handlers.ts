import { AppError } from '../../../../src-shared/domain/app-error'
import { isWorking, type RunStatus } from '../../../../src-shared/domain/running/run-status'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import type { RunnerDoctor } from '../../../core/launch/runners/runner-doctor'
import type { ServerDirectory } from '../../../core/servers/server-directory'
import type { Handlers } from '../../answer'

export type RunnerParts = {
  readonly doctor: RunnerDoctor
  readonly servers: ServerDirectory
  readonly settings: () => Pick<Settings, 'installMs'>
}

/** Answers what concerns the programs that packages are started with. */
export function runnerHandlers({
  doctor,
  servers,
  settings,
}: RunnerParts): Pick<Handlers, Extract<keyof Handlers, `runner.${string}`>> {
  return {
    'runner.list': ({ fresh }) => doctor.list(fresh),
    'runner.find': () => doctor.find(),
    'runner.setUp': async ({ installationId, setupId }) => {
      const { supervisor } = servers.read(installationId)
      // An unknown id is the asker's mistake, not the server's state.
      await doctor.findSetup(setupId)
      const isTaken = supervisor.start({
        limitMs: settings().installMs,
        run: (onLine, signal) => doctor.setUp(setupId, { onLine, signal }),
      })
      if (!isTaken) throw busyError(supervisor.status.kind)
    },
  }
}

function busyError(kind: RunStatus['kind']): AppError {
  const isRunning = isWorking({ kind })
  const state = isRunning ? 'running' : kind === 'starting' ? 'starting' : 'stopping'
  return new AppError('INVALID_REQUEST', `Nothing was set up: the server is ${state}.`, {
    hint: 'Stop the server, wait until it has stopped, then try again.',
  })
}
