import { createHash } from 'node:crypto'

import { AgentId } from '../../../../src-shared/domain/agents/agent'
import type { OwnCommand } from '../../../../src-shared/domain/state/app-state'
import { ENTRY_NAME, type HostApp, type HostValue, isList, isTable } from '../apps/host-app'

/** Identifies the agent and the profile of a program that connects an app to a Patchbay. */
export type Bridge = {
  /** Undefined if the entry names no valid agent. */
  readonly agentId: string | undefined
  /** The profile folder; undefined for the default one. */
  readonly profileDir: string | undefined
}

/** The data of an agent's entry. */
export type BridgeLaunch = {
  readonly ownCommand: OwnCommand
  readonly agentId: string
  readonly profileDir: string
  /** Name in the file; the default name if absent. */
  readonly name?: string
}

/** Builds an app's entry that starts the bridge of an agent. Contains no key. */
export function bridgeEntry(
  app: Pick<HostApp, 'entry'>,
  { ownCommand, agentId, profileDir, name = ENTRY_NAME }: BridgeLaunch,
): Readonly<Record<string, HostValue>> {
  const [command = 'patchbay', ...before] = ownCommand.argv
  const args = [...before, 'bridge', '--agent', agentId, '--profile', profileDir]
  return app.entry({ command, args, env: ownCommand.env, name })
}

/** Parses an entry that leads to a Patchbay, regardless of its author; undefined for any other. */
export function bridgeOf(value: HostValue): Bridge | undefined {
  const args = argumentsOf(value)
  const at = args.indexOf('bridge')
  // The user may have added any arguments.
  if (at < 0 || !args.slice(at).some((word) => isFlag(word, '--agent'))) return undefined
  const agentId = AgentId.safeParse(flagValue(args, at, '--agent'))
  return { agentId: agentId.data, profileDir: flagValue(args, at, '--profile') }
}

/** Returns one hash over the named members of an entry: a file may hold secrets in them. */
export function hashOfMembers(value: HostValue, members: readonly string[]): string {
  const entry = membersOf(value)
  const picked = members.map((name) => [name, sorted(entry[name])])
  return createHash('sha256').update(JSON.stringify(picked)).digest('hex')
}

/** Returns the members of an object; empty for anything else. */
export function membersOf(
  value: HostValue | undefined,
): Readonly<Record<string, HostValue | undefined>> {
  return isTable(value) ? value : {}
}

/** Returns every text of an entry, in order: apps nest the program and its arguments in different ways. */
function argumentsOf(value: HostValue): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return (isList(value) ? value : Object.values(value)).flatMap(argumentsOf)
}

function isFlag(word: string | undefined, flag: string): boolean {
  return word === flag || (word ?? '').startsWith(`${flag}=`)
}

function flagValue(args: readonly string[], from: number, flag: string): string | undefined {
  const at = args.findIndex((word, index) => index > from && isFlag(word, flag))
  if (at < 0) return undefined
  const [, ...inner] = (args[at] ?? '').split('=')
  return inner.length > 0 ? inner.join('=') : args[at + 1]
}

/** Sorts members, so that their order doesn't change the hash. */
function sorted(value: HostValue | undefined): unknown {
  if (value === undefined) return { none: true }
  if (isList(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([name, inner]) => [name, sorted(inner)])
}
