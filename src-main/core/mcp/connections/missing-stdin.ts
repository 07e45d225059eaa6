import { readFile, readlink } from 'node:fs/promises'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { ProcessTree } from '../../process/tree/process-tree'

/** What starts programs and reads no messages itself. */
const STARTERS = /^(?:ba|da|a|z|k|mk)?sh$|^(?:busybox|tini|dumb-init|env)$/u
const NOWHERE = '/dev/null'

/**
 * The failure of a server whose programs hold no end of its pipe (Linux): a script that starts the server in the
 * background gives it /dev/null as stdin. Undefined where a program may read what it is sent, or where that can't be known.
 */
export async function missingStdin(tree: Pick<ProcessTree, 'look'>): Promise<AppError | undefined> {
  if (process.platform !== 'linux') return undefined
  const members = await tree.look()
  const programs = await Promise.all(members.map(({ pid }) => programOf(pid)))
  const readers = programs.filter(({ name }) => name !== undefined && !STARTERS.test(name))
  const [first] = readers
  if (!first || readers.some(({ stdin }) => stdin !== NOWHERE)) return undefined
  return new AppError(
    'HANDSHAKE_FAILED',
    `The program ${first.name ?? ''} can’t read its input: stdin is ${NOWHERE}.`,
    {
      hint: 'The start script runs the program in the background. End the script with "exec" and the program, without "&".',
    },
  )
}

async function programOf(
  pid: number,
): Promise<{ readonly name: string | undefined; readonly stdin: string | undefined }> {
  // It may have ended, or belong to another user.
  const [name, stdin] = await Promise.allSettled([
    readFile(`/proc/${pid}/comm`, 'utf8'),
    readlink(`/proc/${pid}/fd/0`),
  ])
  return {
    name: name.status === 'fulfilled' ? name.value.trim() : undefined,
    stdin: stdin.status === 'fulfilled' ? stdin.value : undefined,
  }
}
