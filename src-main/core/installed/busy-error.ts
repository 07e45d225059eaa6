import { AppError } from '../../../src-shared/domain/app-error'
import { isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'

/** Why something that comes before a start was not done: INVALID_REQUEST. */
export function busyError({ kind }: Pick<RunStatus, 'kind'>): AppError {
  const state = isWorking({ kind }) ? 'running' : kind === 'starting' ? 'starting' : 'stopping'
  return new AppError('INVALID_REQUEST', `The server is ${state}.`, {
    hint: 'Stop the server, wait until it has stopped, then try again.',
  })
}
