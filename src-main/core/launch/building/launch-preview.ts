import { createHash } from 'node:crypto'

import type {
  CommandPreview,
  FieldProblem,
  LaunchPreview,
  RemotePreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { argsWithName, SHOWN_CONTAINER_NAME } from '../packages/oci-runner'
import { decidesCode } from '../plan/code-deciding'
import type {
  CommandPlan,
  LaunchPlan,
  PlannedAddress,
  PlannedVariable,
  RemotePlan,
} from '../plan/launch-plan'

type Pair = RemotePreview['headers'][number]

/** Converts a plan for display: secrets masked, deceptive characters escaped. */
export function toPreview(
  plan: LaunchPlan,
  problems: readonly FieldProblem[],
  cwd?: string,
): LaunchPreview {
  return plan.kind === 'command'
    ? toCommandPreview(plan, problems, cwd)
    : toRemotePreview(plan, problems)
}

/** Converts a command plan as `toPreview` does. */
export function toCommandPreview(
  plan: CommandPlan,
  problems: readonly FieldProblem[],
  cwd?: string,
): CommandPreview {
  const { transport } = plan
  return {
    kind: 'command',
    command: visible(plan.command),
    args: argsWithName(plan, SHOWN_CONTAINER_NAME).map(({ shown, secret, joined, origin }) => ({
      text: visible(shown),
      secret,
      joined,
      origin,
    })),
    env: plan.env.map(toPair),
    cwd,
    packageName: plan.packageName,
    packageVersion: plan.packageVersion,
    transport: transport && {
      type: transport.type,
      url: transport.url && visible(transport.url.shown),
      headers: transport.headers.map(toPair),
    },
    planHash: planHash(plan, cwd),
    problems: [...problems],
    warnings: [...plan.warnings],
  }
}

function toRemotePreview(plan: RemotePlan, problems: readonly FieldProblem[]): RemotePreview {
  const { shown, secret, origin } = plan.url
  return {
    kind: 'remote',
    type: plan.type,
    url: { text: visible(shown), secret, origin },
    headers: plan.headers.map(toPair),
    planHash: planHash(plan),
    problems: [...problems],
    warnings: [...plan.warnings],
  }
}

function toPair({ name, shown, secret, origin }: PlannedVariable): Pair {
  return { name: visible(name), text: visible(shown), secret, origin }
}

function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/**
 * SHA-256 in hex over everything that an approval covers: command, argv (secrets as their field's key), environment, working folder and
 * package version; for a remote its type, address and headers. A variable or header counts by its name and the entry's declaration. Its
 * value counts only if it decides which code runs, so other values can change without a new approval.
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
    // Added only if present, so that approvals from before bundles stay valid.
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
