import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'

import { AppError } from '../../../../src-shared/domain/app-error'
import { LONGEST_VALUE, TOO_LONG_HINT } from './longest-value'
import { programFaultOrNone } from './program-fault'

type Spec = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
}

/** Why a child could not be started: COMMAND_NOT_FOUND, COMMAND_NOT_RUNNABLE or SPAWN_FAILED, without quoting an argument. */
export function spawnError(spec: Spec, error: NodeJS.ErrnoException): AppError {
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

function tooLongError({ command, args, env }: Spec, cause: Error): AppError {
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
