import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation'
import { RunnerName } from '../../../src-shared/domain/runner-name'
import type { Settings } from '../../../src-shared/domain/settings'
import { findProblems } from '../../../src-shared/form/form-schema'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import type { BundleShelf } from '../bundle/bundle-shelf'
import type { InstallationService } from '../installation/installation-service'
import { offerOf } from '../installation/installation-service'
import { addressPasswords } from '../launch/address-passwords'
import { buildLaunchPlan } from '../launch/build-launch-plan'
import { decidesDownload } from '../launch/code-deciding'
import { argsWithName, newContainerName } from '../launch/container-name'
import type { CommandPlan, LaunchPlan } from '../launch/launch-plan'
import { nugetFetch } from '../launch/nuget-fetch'
import { planHash } from '../launch/plan-hash'
import { createRedactor } from '../launch/redact'
import type { RunnerDoctor } from '../launch/runner-doctor'
import type { LogBuffer } from '../log/log-buffer'
import type { OrphanLedger } from '../process/orphan-ledger'
import type { PrivateFolders } from '../process/private-folders'
import { lostSecrets } from '../secrets/lost-secrets'
import { heldKeys } from '../secrets/secret-keys'
import { IncompleteConfigError } from './describe-failure'
import type { PreparedLaunch } from './start-sequence'

const DEFAULT_DISCOVER_MS = 30_000

export type PrepareOptions = {
  readonly installations: InstallationService
  readonly settings: () => Settings
  readonly log: LogBuffer
  readonly doctor: RunnerDoctor
  readonly ledger: OrphanLedger
  readonly folders: PrivateFolders
  readonly bundles: Pick<BundleShelf, 'check'>
}

/**
 * The resolve phase: values and secrets become a plan, checked before anything runs. Rejects with
 * CONFIG_INCOMPLETE (A6), CONSENT_REQUIRED, SECRET_STORE_FAILED, INVALID_BUNDLE, or as `RunnerDoctor.examine`
 * does.
 */
export async function prepareLaunch(
  installationId: string,
  options: PrepareOptions,
): Promise<PreparedLaunch> {
  const { installations, settings, log, ledger } = options
  // What an earlier run left of this server may still be going: never two at a time.
  await ledger.ready
  const { installation, secrets } = await installations.readForStart(installationId)
  const offer = offerOf(installation)
  log.setRedactor(createRedactor(secrets.values()))
  const fields = fieldsOfOffer(offer)
  const problems = [
    ...findProblems(fields, installation.values, heldKeys(installation)),
    ...lostSecrets(fields, installation, installations.stored.list, secrets),
  ]
  if (problems.length > 0) throw new IncompleteConfigError(problems)
  const plan = buildLaunchPlan(offer, installation.values, secrets)
  const cwd = installations.folderOf(offer, installation.cwd)
  if (planHash(plan, cwd) !== installation.approvedPlan)
    throw consentError(installation.approvedPlan)
  if (!isStdio(plan)) throw transportError()
  if (offer.kind === 'package') await options.bundles.check(offer.pkg)
  // Never on a PATH that the entry sets: what was approved as "npx" must be the person's npx.
  const runner = await options.doctor.examine(plan.command)
  for (const warning of runner.warnings) log.append('patchbay', 'warn', warning)
  const { finder } = options.doctor
  const planned = plan.env.map(({ name, value }) => [name, value] as const)
  const env = await finder.environmentFor(Object.fromEntries(planned), runner.folders)
  // A proxy or an index of the person's own may have its password in its address.
  log.setRedactor(createRedactor([...secrets.values(), ...addressPasswords(env)]))
  // What the server is told, such as an API key, is not the runner's to know.
  const forRunner = planned.filter(([name]) => decidesDownload(name))
  const installEnv = await finder.environmentFor(Object.fromEntries(forRunner), runner.folders)
  const command = runner.file
  const containerName = plan.containerNameAt === undefined ? undefined : newContainerName()
  const args = argsWithName(plan, containerName ?? '')
  const keeper = ledger.keeperOf(installationId)
  const fetch = plan.install && { ...plan.install, command, env: installEnv, cwd, keeper }
  const place = { dnx: command, cwd, finder, folders: options.folders }
  return {
    spec: { command, args: args.map(({ value }) => value), env, cwd, keeper, containerName },
    install: fetch?.toolManifest ? await nugetFetch(fetch, place) : fetch,
    selfInstallKey: selfInstallKey(plan),
    budgets: budgetsOf(installation, settings()),
    maxMessageBytes: settings().maxMessageMb * 1024 * 1024,
    shown: [plan.command, ...args.map(({ shown }) => shown)].join(' '),
  }
}

function budgetsOf({ budgets }: Installation, settings: Settings): PreparedLaunch['budgets'] {
  return {
    installMs: budgets.installMs ?? settings.installMs,
    handshakeMs: budgets.handshakeMs ?? settings.handshakeMs,
    discoverMs: budgets.discoverMs ?? DEFAULT_DISCOVER_MS,
    requestMs: budgets.requestMs ?? settings.requestMs,
  }
}

/** A runner that nothing was surely fetched for fetches its package itself when the server is first started. */
function selfInstallKey(plan: CommandPlan): string | undefined {
  const isFetched = plan.install !== undefined && !plan.install.toolManifest
  if (isFetched || !RunnerName.safeParse(plan.command).success) return undefined
  return JSON.stringify([plan.command, plan.args.map(({ fingerprint }) => fingerprint)])
}

function isStdio(plan: LaunchPlan): plan is CommandPlan {
  return plan.kind === 'command' && plan.transport === undefined
}

function transportError(): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', 'Patchbay cannot connect over HTTP yet.', {
    hint: 'What was typed is kept. Where the entry also has a package that runs here, set that up.',
  })
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
