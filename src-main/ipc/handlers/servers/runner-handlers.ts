import type { Settings } from '../../../../src-shared/domain/state/settings'
import { busyError } from '../../../core/installed/busy-error'
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
    'runner.heldBack': () => doctor.finder.heldBack(),
    'runner.setUp': async ({ installationId, setupId }) => {
      const server = servers.read(installationId)
      // An unknown id is the asker's mistake, not the server's state.
      await doctor.findSetup(setupId)
      const isTaken = server.start({
        setUp: {
          limitMs: settings().installMs,
          run: (onLine, signal) => doctor.setUp(setupId, { onLine, signal }),
        },
      })
      if (!isTaken) throw busyError(server.status)
    },
  }
}
