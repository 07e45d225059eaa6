import { createHash } from 'node:crypto'

import { AgentId } from '../../../../src-shared/domain/agents/agent'
import type { OwnCommand } from '../../../../src-shared/domain/state/app-state'
import { ENTRY_NAME, type HostApp, type HostValue, isList, isTable } from '../apps/host-app'

/** How a program is started that brings an agent to a Patchbay. */
export type Bridge = {
  /** Missing where it names none that could be one. */
  readonly agentId: string | undefined
  /** The profile folder of its Patchbay; missing for the usual one. */
  readonly profileDir: string | undefined
}

/** The entry of an agent. */
export type BridgeLaunch = {
  readonly ownCommand: OwnCommand
  readonly agentId: string
  readonly profileDir: string
  /** What the file calls it; the usual name where it is missing. */
  readonly name?: string
}

/** What the entry of an app says so that it starts the bridge of an agent. No key is in it. */
export function bridgeEntry(
  app: Pick<HostApp, 'entry'>,
  { ownCommand, agentId, profileDir, name = ENTRY_NAME }: BridgeLaunch,
): Readonly<Record<string, HostValue>> {
  const [command = 'patchbay', ...before] = ownCommand.words
  const args = [...before, 'bridge', '--agent', agentId, '--profile', profileDir]
  return app.entry({ command, args, env: ownCommand.env, name })
}

/** Reads an entry that leads to a Patchbay, no matter who wrote it; undefined for any other. */
export function bridgeOf(value: HostValue): Bridge | undefined {
  const words = wordsOf(value)
  const at = words.indexOf('bridge')
  // Its user may have added arguments of any kind.
  if (at < 0 || !words.slice(at).some((word) => isFlag(word, '--agent'))) return undefined
  const agentId = AgentId.safeParse(flagValue(words, at, '--agent'))
  return { agentId: agentId.data, profileDir: flagValue(words, at, '--profile') }
}

/** The members of an entry that are named, as one hash: a file may hold secrets in them. */
export function hashOfMembers(value: HostValue, members: readonly string[]): string {
  const entry = membersOf(value)
  const picked = members.map((name) => [name, sorted(entry[name])])
  return createHash('sha256').update(JSON.stringify(picked)).digest('hex')
}

/** The members of an object; none of anything else. */
export function membersOf(
  value: HostValue | undefined,
): Readonly<Record<string, HostValue | undefined>> {
  return isTable(value) ? value : {}
}

/** Every text of an entry, in order: apps nest the program and its arguments in ways of their own. */
function wordsOf(value: HostValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return (isList(value) ? value : Object.values(value)).flatMap(wordsOf)
}

function isFlag(word: string | undefined, flag: string): boolean {
  return word === flag || (word ?? '').startsWith(`${flag}=`)
}

function flagValue(words: readonly string[], from: number, flag: string): string | undefined {
  const at = words.findIndex((word, index) => index > from && isFlag(word, flag))
  if (at < 0) return undefined
  const [, ...inner] = (words[at] ?? '').split('=')
  return inner.length > 0 ? inner.join('=') : words[at + 1]
}

/** Objects with their members in one order. */
function sorted(value: HostValue | undefined): unknown {
  if (value === undefined) return { none: true }
  if (isList(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, inner]) => [name, sorted(inner)])
}
