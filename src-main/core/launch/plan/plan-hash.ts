import { createHash } from 'node:crypto'

import { decidesCode } from './code-deciding'
import type { CommandPlan, LaunchPlan, PlannedAddress } from './launch-plan'

/**
 * SHA-256 in hex over what a user's approval is bound to: command, argv (a secret stands as its field),
 * environment, working folder and package version; of a remote its type, address and headers. Of a variable
 * or header it holds the name and what the entry says of it; the value itself only where that decides which
 * code runs, so that other values can change without a new approval.
 */
export function planHash(plan: LaunchPlan, cwd?: string): string {
  const approved = plan.kind === 'command' ? commandParts(plan, cwd) : addressParts(plan)
  return createHash('sha256').update(JSON.stringify(approved)).digest('hex')
}

function commandParts(plan: CommandPlan, cwd: string | undefined): unknown[] {
  return [
    plan.command,
    plan.args.map(({ fingerprint, secret }) => [fingerprint, secret]),
    plan.env
      .map(({ name, declared, fingerprint }) => [
        name,
        declared,
        decidesCode(name) ? fingerprint : null,
      ])
      .toSorted(byName),
    cwd ?? null,
    plan.packageVersion ?? null,
    // Added only where there is one: what was approved before bundles came stays approved.
    ...(plan.bundleSha256 === undefined ? [] : [plan.bundleSha256]),
    ...(plan.transport === undefined ? [] : [addressParts(plan.transport)]),
  ]
}

function addressParts({ type, url, headers }: PlannedAddress): unknown[] {
  return [
    type,
    url?.fingerprint,
    headers.map(({ name, declared }) => [name.toLowerCase(), declared]).toSorted(byName),
  ]
}

function byName([a]: (string | null)[], [b]: (string | null)[]): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}
