import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { OWN_PLACE } from '../../../../src-shared/domain/installation/secret-place'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { splitSecretList } from '../../../../src-shared/form/secret-list'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import { IncompleteConfigError } from '../../failure/describe-failure'
import type { InstallationService } from '../../installation/installation-service'
import { offerOf } from '../../installation/installation-service'
import { namedValues } from '../../installation/secrets/named-values'
import { buildLaunchPlan } from '../../launch/building/build-launch-plan'
import { planHash } from '../../launch/plan/plan-hash'
import { createRedactor } from '../../masking/redact'
import type { OpenSessionAuth, SessionAuth } from '../../mcp/connections/remote-fetch'
import { patientFetch } from '../../network/patient-fetch'
import { problemsIn } from '../../secrets/find-problems'
import type { CommandLaunch, LocalHttpAddress, PreparedLaunch, RemoteLaunch } from './launch'
import { type CommandParts, prepareCommand } from './prepare-command'
import { prepareRemote } from './prepare-remote'

export type PrepareOptions = CommandParts & {
  readonly installations: InstallationService
  readonly settings: () => Settings
  /** Goes by the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Of who signed in at a remote server. */
  readonly openAuth: (installationId: string) => OpenSessionAuth
  /** Of a start beside the process that all share, of the same server. */
  readonly isInstance?: boolean
}

/**
 * The resolve phase: values and secrets become a plan, checked before anything runs. Rejects with
 * CONFIG_INCOMPLETE (A6), CONSENT_REQUIRED, SECRET_STORE_FAILED, or as `prepareCommand` and `prepareRemote` do.
 */
export async function prepareLaunch(
  installationId: string,
  options: PrepareOptions,
): Promise<PreparedLaunch> {
  const { installations, settings, log, ledger } = options
  // What an earlier run left of this server may still be going: never two at a time.
  await ledger.ready
  const { installation, secrets, keptSecrets } = await installations.readForStart(
    installationId,
    options.isInstance,
  )
  const offer = offerOf(installation)
  // Of this start alone: what serves meanwhile may have other secrets, and goes on telling of them.
  const start = {}
  // Without a keychain, a value that is a secret by its name stays in the settings file.
  const open = namedValues(installation, OWN_PLACE)?.secrets.values() ?? []
  const fields = fieldsOfOffer(offer)
  const plain = new Set(fields.filter(({ secret }) => !secret).map(({ key }) => key))
  const values = [...secrets].flatMap(([key, text]) =>
    plain.has(key) ? [] : splitSecretList(text),
  )
  const known = [...values, ...keptSecrets, ...open]
  const mask = (more: readonly string[] = []): void =>
    log.setRedactor(createRedactor([...known, ...more]), start)
  mask()
  const problems = problemsIn(fields, installation, installations.stored.list, secrets)
  if (problems.length > 0) throw new IncompleteConfigError(problems)
  const plan = buildLaunchPlan(offer, installation.values, secrets)
  const cwd = installations.folderOf(offer, installation.cwd)
  if (planHash(plan, cwd) !== installation.approvedPlan)
    throw consentError(installation.approvedPlan)
  const terms = {
    budgets: budgetsOf(installation, settings()),
    maxMessageBytes: settings().maxMessageMb * 1024 * 1024,
    protocol: installation.protocol,
  }
  if (plan.kind === 'remote') {
    const authOf = options.openAuth(installationId)
    const openAuth = (url: URL): SessionAuth => authOf(url, { onSecrets: mask })
    return prepareRemote(plan, terms, { ...options, openAuth })
  }
  const launch = await prepareCommand({ installation, offer, plan, cwd, mask, terms }, options)
  return options.isInstance && launch.serves ? asRemote(launch, launch.serves) : launch
}

/** What serves HTTP here takes one more session at its port, and no second process. */
function asRemote(
  { budgets, maxMessageBytes, protocol, spoken }: CommandLaunch,
  { url, headers, transport }: LocalHttpAddress,
): RemoteLaunch {
  const terms = { budgets, maxMessageBytes, protocol, spoken, shown: `Connecting to ${url.href}` }
  return { ...terms, kind: 'remote', url, headers, transports: [transport], fetch: patientFetch }
}

function budgetsOf({ budgets }: Installation, settings: Settings): PreparedLaunch['budgets'] {
  return {
    installMs: budgets.installMs ?? settings.installMs,
    handshakeMs: budgets.handshakeMs ?? settings.handshakeMs,
    discoverMs: budgets.discoverMs ?? settings.discoverMs,
    requestMs: settings.requestMs,
    callMs: budgets.callMs ?? settings.callMs,
  }
}

function consentError(approved: string | undefined): AppError {
  const message =
    approved === undefined
      ? 'The command is not approved yet.'
      : 'The command differs from the approved one.'
  return new AppError('CONSENT_REQUIRED', message, {
    hint: 'Review the command, then approve it.',
  })
}
