import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

import type { ProcessTree } from './process-tree'

/** A process of a server's tree that can't read the server's stdin. */
export type LostStdin = {
  readonly pid: number
  /** Program name as the kernel has it. */
  readonly program: string
  readonly stdin: 'null' | 'closed'
}

/** Wrapper programs that start a server, wait for it, and leave stdin to it. */
const WAITING =
  /^(sh|bash|dash|ash|zsh|ksh|busybox|tini|dumb-init|env|timeout|su-exec|gosu|runuser|npm|npx)\b/

/**
 * Finds the process that a wrapper script started without its stdin, as shells do for background commands (POSIX 2.9.3). Undefined if
 * another program can read stdin, and on systems other than Linux.
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
    return undefined // another account's process, or it has ended
  }
}
