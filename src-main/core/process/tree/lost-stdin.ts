import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

import type { ProcessTree } from './process-tree'

/** A process of a server's tree that cannot read what the server is sent. */
export type LostStdin = {
  readonly pid: number
  /** The name of its program, as the kernel has it. */
  readonly program: string
  readonly stdin: 'null' | 'closed'
}

/** Programs that start a server and wait for it; each of them leaves stdin to what it starts. */
const WAITING =
  /^(sh|bash|dash|ash|zsh|ksh|busybox|tini|dumb-init|env|timeout|su-exec|gosu|runuser|npm|npx)\b/

/**
 * The process that a wrapper script started without its own stdin, as a shell does with a command in the background (POSIX 2.9.3).
 * Undefined where a program other than such a wrapper can read stdin, and on systems other than Linux.
 */
export async function findLostStdin(
  tree: Pick<ProcessTree, 'look'>,
): Promise<LostStdin | undefined> {
  if (process.platform !== 'linux') return undefined
  const members = (await tree.look()).flatMap(({ pid }) => stdinOf(pid) ?? [])
  const lost = members.find(({ stdin }) => stdin !== 'held')
  if (lost === undefined || lost.stdin === 'held') return undefined
  const { pid, program, stdin } = lost
  const isRead = members.some((member) => member.stdin === 'held' && !WAITING.test(member.program))
  return isRead ? undefined : { pid, program, stdin }
}

function stdinOf(
  pid: number,
): { pid: number; program: string; stdin: LostStdin['stdin'] | 'held' } | undefined {
  const folder = `/proc/${String(pid)}`
  try {
    const program = readFileSync(`${folder}/comm`, 'utf8').trim()
    if (!readdirSync(`${folder}/fd`).includes('0')) return { pid, program, stdin: 'closed' }
    const isNull = readlinkSync(`${folder}/fd/0`) === '/dev/null'
    return { pid, program, stdin: isNull ? 'null' : 'held' }
  } catch {
    return undefined // another account's, or it ended meanwhile
  }
}
