import { existsSync } from 'node:fs'

import { AppError } from '../../../../src-shared/domain/app-error'

/** Why a child could not be started: COMMAND_NOT_FOUND or SPAWN_FAILED, without quoting an argument. */
export function spawnError(
  spec: { readonly command: string; readonly cwd?: string | undefined },
  error: NodeJS.ErrnoException,
): AppError {
  // The system gives the same code for a program and for a folder that is not there.
  if (error.code === 'ENOENT' && spec.cwd !== undefined && !existsSync(spec.cwd)) {
    return new AppError('SPAWN_FAILED', `The working folder ${spec.cwd} doesn’t exist.`, {
      cause: error,
      hint: 'Create it, then start again.',
    })
  }
  if (error.code === 'ENOENT') {
    return new AppError('COMMAND_NOT_FOUND', `${spec.command} was not found.`, {
      cause: error,
      hint: 'Install it, or check that it is on PATH.',
    })
  }
  if (error.code === 'E2BIG') {
    return new AppError(
      'SPAWN_FAILED',
      `${spec.command} couldn’t be started: its arguments are too long.`,
      {
        cause: error,
        hint: 'Shorten the values. The system limits the length of a command line.',
      },
    )
  }
  // Without a system's code the text may quote an argument.
  const said = error.syscall === undefined ? 'rejected by the system' : error.message
  return new AppError('SPAWN_FAILED', `${spec.command} couldn’t be started: ${said}.`, {
    cause: error,
    hint: 'Check that the file is a program you have permission to run.',
  })
}
