import { AppError } from '../../../src-shared/domain/app-error'
import type { FieldProblem } from '../../../src-shared/domain/launch-plan'
import type { Settings } from '../../../src-shared/domain/settings'
import type { FormField } from '../../../src-shared/form/form-field'
import { findProblems } from '../../../src-shared/form/form-schema'
import { toFormFields } from '../../../src-shared/form/to-form-fields'
import type { InstallationService } from '../installation/installation-service'
import { packageOf } from '../installation/installation-service'
import { buildLaunchPlan } from '../launch/build-launch-plan'
import { childEnvironment } from '../launch/child-environment'
import { planHash } from '../launch/launch-preview'
import { createRedactor } from '../launch/redact'
import { resolveCommand } from '../launch/resolve-command'
import type { LogBuffer } from '../log/log-buffer'
import { IncompleteConfigError } from './describe-failure'
import type { PreparedLaunch } from './start-sequence'

const DEFAULT_DISCOVER_MS = 30_000

export type PrepareOptions = {
  readonly installations: InstallationService
  readonly settings: () => Settings
  readonly log: LogBuffer
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly loginPath: Promise<string | undefined>
}

/**
 * The resolve phase: values and secrets become a plan, checked before anything runs. Rejects with
 * CONFIG_INCOMPLETE (A6), CONSENT_REQUIRED, COMMAND_NOT_FOUND or SECRET_STORE_FAILED.
 */
export async function prepareLaunch(
  installationId: string,
  options: PrepareOptions,
): Promise<PreparedLaunch> {
  const { installations, settings, log } = options
  const installation = installations.read(installationId)
  const pkg = packageOf(installation)
  const secrets = await installations.readSecrets(installation)
  log.setRedactor(createRedactor(secrets.values()))
  const fields = toFormFields(pkg)
  const problems = [
    ...findProblems(fields, installation.values, installation.secretKeys),
    ...lostSecrets(fields, installation.secretKeys, secrets),
  ]
  if (problems.length > 0) throw new IncompleteConfigError(problems)
  const plan = buildLaunchPlan(pkg, installation.values, secrets)
  const cwd = installations.workingFolder
  if (planHash(plan, cwd) !== installation.approvedPlan)
    throw consentError(installation.approvedPlan)
  const planned = Object.fromEntries(plan.env.map(({ name, value }) => [name, value]))
  const loginPath = await options.loginPath
  const env = childEnvironment(options.environment, planned, loginPath)
  // Never on a PATH that the entry sets: what was approved as "npx" must be the person's npx.
  const own = childEnvironment(options.environment, {}, loginPath)
  const command = await resolveCommand(plan.command, own)
  const { budgets } = installation
  return {
    spec: { command, args: plan.args.map((argument) => argument.value), env, cwd },
    install: plan.install && { ...plan.install, command, env, cwd },
    budgets: {
      installMs: budgets.installMs ?? settings().installMs,
      handshakeMs: budgets.handshakeMs ?? settings().handshakeMs,
      discoverMs: budgets.discoverMs ?? DEFAULT_DISCOVER_MS,
      requestMs: budgets.requestMs ?? settings().requestMs,
    },
    maxMessageBytes: settings().maxMessageMb * 1024 * 1024,
    shown: [plan.command, ...plan.args.map((argument) => argument.shown)].join(' '),
  }
}

/** Saved once, but no longer where secrets are kept: another keychain, or a run without one. */
function lostSecrets(
  fields: readonly FormField[],
  secretKeys: readonly string[],
  found: ReadonlyMap<string, string>,
): FieldProblem[] {
  return fields
    .filter(({ key }) => secretKeys.includes(key) && !found.has(key))
    .map(({ key, label }) => ({
      fieldKey: key,
      label,
      message: 'Its saved value is no longer in the keychain. Enter it again.',
    }))
}

function consentError(approved: string | undefined): AppError {
  const why =
    approved === undefined
      ? 'Its command has not been approved.'
      : 'Its command is not the one that was approved.'
  return new AppError('CONSENT_REQUIRED', `Not started. ${why}`, {
    hint: 'Review the command, then approve it.',
  })
}
