import type {
  CommandPreview,
  FieldProblem,
  LaunchPreview,
  RemotePreview,
} from '../../../../src-shared/domain/installation/launch-plan'
import { argsWithName, SHOWN_CONTAINER_NAME } from '../packages/container-name'
import type {
  CommandPlan,
  LaunchPlan,
  PlannedAddress,
  PlannedVariable,
  RemotePlan,
} from '../plan/launch-plan'
import { planHash } from '../plan/plan-hash'

type Pair = RemotePreview['headers'][number]

/** What the user sees of a plan: secrets masked, characters that could deceive the eye spelled out. */
export function toPreview(
  plan: LaunchPlan,
  problems: readonly FieldProblem[],
  cwd?: string,
): LaunchPreview {
  return plan.kind === 'command'
    ? toCommandPreview(plan, problems, cwd)
    : toRemotePreview(plan, problems)
}

/** As `toPreview`, of a command. */
export function toCommandPreview(
  plan: CommandPlan,
  problems: readonly FieldProblem[],
  cwd?: string,
): CommandPreview {
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
    transport: plan.transport && toAddress(plan.transport),
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

function toAddress({ type, url, headers }: PlannedAddress): CommandPreview['transport'] {
  return { type, url: url && visible(url.shown), headers: headers.map(toPair) }
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
