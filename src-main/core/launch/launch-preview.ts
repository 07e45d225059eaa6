import { createHash } from 'node:crypto'

import type { FieldProblem, LaunchPreview } from '../../../src-shared/domain/launch-plan'
import { decidesCode } from './code-deciding'
import { argsWithName, SHOWN_CONTAINER_NAME } from './container-name'
import type { LaunchPlan } from './launch-plan'

/** What the person sees of a plan: secrets masked, characters that could deceive the eye spelled out. */
export function toPreview(
  plan: LaunchPlan,
  problems: readonly FieldProblem[],
  cwd?: string,
): LaunchPreview {
  return {
    command: visible(plan.command),
    args: argsWithName(plan, SHOWN_CONTAINER_NAME).map(({ shown, secret, joined, origin }) => ({
      text: visible(shown),
      secret,
      joined,
      origin,
    })),
    env: plan.env.map(({ name, shown, secret, origin }) => ({
      name: visible(name),
      text: visible(shown),
      secret,
      origin,
    })),
    cwd,
    packageName: plan.packageName,
    packageVersion: plan.packageVersion,
    planHash: planHash(plan, cwd),
    problems: [...problems],
    warnings: [...plan.warnings],
  }
}

/**
 * SHA-256 in hex over command, argv (a secret stands as its field), the environment, working folder and
 * package version: what a person's approval is bound to. Of a variable it holds the name and what the
 * entry says of it; the value itself only where that decides which code runs, so that other values can
 * change without a new approval.
 */
export function planHash(plan: LaunchPlan, cwd?: string): string {
  const approved = [
    plan.command,
    plan.args.map(({ fingerprint, secret }) => [fingerprint, secret]),
    plan.env
      .map(({ name, declared, fingerprint }) => [
        name,
        declared,
        decidesCode(name) ? fingerprint : null,
      ])
      .toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    cwd ?? null,
    plan.packageVersion ?? null,
  ]
  return createHash('sha256').update(JSON.stringify(approved)).digest('hex')
}

function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
