import which from 'which'

import { AppError } from '../../../src-shared/domain/app-error'

/** A map, since a program can be called "constructor". */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['npx', 'npx comes with Node.js. Install Node.js, then start again.'],
  ['uvx', 'uvx comes with uv. Install uv, then start again.'],
  ['docker', 'Install Docker (or Podman with its docker command), then start again.'],
  ['dnx', 'dnx comes with the .NET SDK 10. Install it, then start again.'],
])

/** The full path of a command on the PATH of `env`. Rejects with COMMAND_NOT_FOUND. */
export async function resolveCommand(
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const path = env.PATH ?? env.Path ?? ''
  const found = await which(command, { path, pathExt: env.PATHEXT, nothrow: true })
  if (found !== null) return found
  throw new AppError('COMMAND_NOT_FOUND', `${command} was not found on this computer.`, {
    hint:
      HINTS.get(command) ?? `Install ${command}, or add its folder to the PATH, then start again.`,
  })
}
