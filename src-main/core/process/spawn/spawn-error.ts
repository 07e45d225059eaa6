import { existsSync } from 'node:fs'

import { AppError } from '../../../../src-shared/domain/app-error'

/** Why a child could not be started: COMMAND_NOT_FOUND or SPAWN_FAILED, without quoting an argument. */
export function spawnError(
  spec: { readonly command: string; readonly cwd?: string | undefined },
  error: NodeJS.ErrnoException,
): AppError {
  // The system gives the same code for a program and for a folder that is not there.
  if (error.code === 'ENOENT' && spec.cwd !== undefined && !existsSync(spec.cwd)) {
    return new AppError('SPAWN_FAILED', `The folder ${spec.cwd} to run in is not there.`, {
      cause: error,
      hint: 'Create it, then start again.',
    })
  }
  if (error.code === 'ENOENT') {
    return new AppError('COMMAND_NOT_FOUND', `${spec.command} was not found.`, {
      cause: error,
      hint: `Install it, or check that it is on the PATH.`,
    })
  }
  if (error.code === 'E2BIG') {
    return new AppError(
      'SPAWN_FAILED',
      `${spec.command} could not be started: its values are too long.`,
      {
        cause: error,
        hint: 'The system limits the length of a command line and of one argument. Shorten the values.',
      },
    )
  }
  // Without a system's code the text may quote an argument.
  const said = error.syscall === undefined ? 'the system refused it' : error.message
  return new AppError('SPAWN_FAILED', `${spec.command} could not be started: ${said}.`, {
    cause: error,
    hint: 'Check that the file is a program that your account may run.',
  })
}
