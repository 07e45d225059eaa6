import { AppError } from '../../../../src-shared/domain/app-error'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { OWN_PLACE } from '../../../../src-shared/domain/installation/secret-place'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import type { Settings } from '../../../../src-shared/domain/state/settings'
import { splitSecretList } from '../../../../src-shared/form/secret-list'
import { terminalOption } from '../../../../src-shared/form/terminal-option'
import { fieldsOfOffer } from '../../../../src-shared/form/to-form-fields'
import type { BundleFolder } from '../../bundle/bundle-folder'
import { IncompleteConfigError } from '../../failure/describe-failure'
import type { StartKind } from '../../installation/draft'
import { type InstallationService, offerOf } from '../../installation/installation-service'
import { namedValues } from '../../installation/secrets/move-named-values'
import { buildLaunchPlan } from '../../launch/building/build-launch-plan'
import { planHash } from '../../launch/building/launch-preview'
import { nugetFetch } from '../../launch/downloads/nuget-fetch'
import { programName, startVariables } from '../../launch/environment/manager-variables'
import { argsWithName, argsWithNetwork, newContainerName } from '../../launch/packages/oci-runner'
import { isUv } from '../../launch/packages/pypi-runner'
import { addressPasswords } from '../../launch/paths/address-passwords'
import { decidesDownload } from '../../launch/plan/code-deciding'
import type {
  CommandPlan,
  LaunchText,
  PlannedAddress,
  RemotePlan,
} from '../../launch/plan/launch-plan'
import { cacheEntryOf } from '../../launch/repair/cache-entry'
import type { RunnerDoctor } from '../../launch/runners/runner-doctor'
import type { LogBuffer } from '../../log/log-buffer'
import { createRedactor } from '../../masking/redact'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import type { OpenSessionAuth, SessionAuth } from '../../mcp/connections/remote-fetch'
import type { ProtocolVersionCache } from '../../mcp/negotiate'
import { isLoopback } from '../../network/is-loopback'
import { patientFetch } from '../../network/patient-fetch'
import type { OrphanLedger } from '../../process/orphans/orphan-ledger'
import type { PrivateFolders } from '../../process/spawn/private-folders'
import { problemsIn } from '../../secrets/find-problems'
import type {
  CommandLaunch,
  LaunchTerms,
  LocalHttpAddress,
  PreparedLaunch,
  RemoteLaunch,
} from './launch'

const TRANSPORTS: readonly RemoteTransport[] = ['streamable-http', 'sse']

/** Prepares the connection of an approved plan. Throws INVALID_VALUES for an invalid address or header. */
function prepareRemote(
  plan: RemotePlan,
  terms: Omit<LaunchTerms, 'shown' | 'spoken'>,
  { versions, fetch }: LaunchContext,
  openAuth: (url: URL) => SessionAuth,
): RemoteLaunch {
  const url = addressOf(plan.url)
  // A remote server's version may change at any time.
  const spoken = versions.of(JSON.stringify(['remote', plan.url.fingerprint]), false)
  const likeliest = spoken.transport ?? plan.type
  return {
    ...terms,
    kind: 'remote',
    url,
    headers: headersOf(plan.headers),
    transports: TRANSPORTS.toSorted((a, b) => Number(b === likeliest) - Number(a === likeliest)),
    fetch,
    auth: openAuth(url),
    spoken,
    shown: `Connecting to ${plan.url.shown}`,
  }
}

/** Throws INVALID_VALUES for anything but a web address, and for one with credentials, which `fetch` rejects. */
export function addressOf({ value, shown }: LaunchText): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && url.username + url.password !== '') {
    throw new AppError(
      'INVALID_VALUES',
      `Not connected: the URL of ${url.host} contains a user name or password.`,
      {
        hint: 'Remove them under Configure and set a header instead, usually Authorization.',
      },
    )
  }
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new AppError('INVALID_VALUES', `Not connected: "${shown}" isn’t a URL.`, {
    hint: 'Enter a URL under Configure, usually starting with https://.',
  })
}

/** Throws INVALID_VALUES for an invalid header. */
function headersOf(headers: RemotePlan['headers']): Record<string, string> {
  const checked = new Headers()
  for (const { name, value } of headers) {
    try {
      checked.set(name, value)
    } catch (cause) {
      throw new AppError('INVALID_VALUES', `Not connected: the header "${name}" is invalid.`, {
        cause,
        hint: 'The name or value contains a character that headers can’t have. Correct it under Configure.',
      })
    }
  }
  return Object.fromEntries(checked)
}

/**
 * The address where an approved command serves HTTP. Throws UNSUPPORTED_TRANSPORT if the entry names no address of this computer, and
 * INVALID_VALUES for an invalid address or header.
 */
function prepareLocalHttp({ type, url, headers }: PlannedAddress): LocalHttpAddress {
  if (url === undefined) throw unservedError('The entry does not define its address.')
  const address = addressOf(url)
  if (!isLoopback(address))
    throw unservedError(`The entry’s address, ${address.host}, isn’t this computer.`)
  return { url: address, headers: headersOf(headers), transport: type }
}

function unservedError(message: string): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', message, {
    hint: 'Your values are kept. Try another package or remote of this server.',
  })
}

/** Everything that launches are prepared with. */
export type LaunchContext = {
  readonly installations: InstallationService
  readonly settings: () => Settings
  /** Uses the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** The sign-in at a remote server. */
  readonly openAuth: (installationId: string) => OpenSessionAuth
  readonly versions: ProtocolVersionCache
  readonly commands: {
    readonly doctor: RunnerDoctor
    readonly ledger: OrphanLedger
    readonly folders: PrivateFolders
    readonly bundlesOf: (installationId: string) => Pick<BundleFolder, 'check'>
  }
}

/** The start to prepare. */
export type LaunchRequest = {
  readonly installationId: string
  readonly log: LogBuffer
  readonly kind: StartKind
}

/**
 * The resolve phase: builds a plan from values and secrets, and checks it before anything runs. Rejects with CONFIG_INCOMPLETE (A6),
 * CONSENT_REQUIRED, SECRET_STORE_FAILED, INVALID_BUNDLE, or as `prepareRemote`, `prepareLocalHttp` and `RunnerDoctor.examine` do.
 */
export async function prepareLaunch(
  context: LaunchContext,
  { installationId, log, kind }: LaunchRequest,
): Promise<PreparedLaunch> {
  const { installations, settings } = context
  // A process of an earlier run may still be ending, and a server never runs twice.
  await context.commands.ledger.ready
  const { installation, secrets, keptSecrets } = await installations.readForStart(
    installationId,
    kind,
  )
  const offer = offerOf(installation)
  // Masks for this start only: the current session may print other secrets.
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
    const authOf = context.openAuth(installationId)
    const openAuth = (url: URL): SessionAuth => authOf(url, { onSecrets: mask })
    return prepareRemote(plan, terms, context, openAuth)
  }
  const approved = { installation, offer, plan, cwd, terms }
  const launch = await prepareCommand(context, approved, log, mask)
  return kind === 'instance' && launch.serves ? asRemote(launch, launch.serves) : launch
}

/** An instance of a server that serves HTTP on this computer is another session at its port, not a second process. */
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

/** CONSENT_REQUIRED: the command was never approved, or differs from the approved one. */
export function consentError(approved?: string): AppError {
  const message =
    approved === undefined
      ? 'The command is not approved yet.'
      : 'The command differs from the approved one.'
  return new AppError('CONSENT_REQUIRED', message, {
    hint: 'Review the command, then approve it.',
  })
}

type ApprovedCommand = {
  readonly installation: Installation
  readonly offer: Offer
  readonly plan: CommandPlan
  readonly cwd: string
  readonly terms: Omit<LaunchTerms, 'shown' | 'spoken'>
}

/** Finds the runner of an approved command and makes its environment. */
async function prepareCommand(
  { commands, versions }: LaunchContext,
  { installation, offer, plan, cwd, terms }: ApprovedCommand,
  log: LogBuffer,
  mask: (more: readonly string[]) => void,
): Promise<CommandLaunch> {
  const { doctor, ledger, folders, bundlesOf } = commands
  const { installationId, name } = installation
  const serves = plan.transport && prepareLocalHttp(plan.transport)
  if (offer.kind === 'package') await bundlesOf(installationId).check(offer.pkg)
  // Never use a PATH from the entry: an approved "npx" must be the user's npx.
  const runner = await doctor.examine(plan.command)
  for (const warning of runner.warnings) log.append('patchbay', 'warn', warning)
  const { finder } = doctor
  const planned = plan.env.map((one) => [one.name, one.value] as const)
  const env = await finder.environmentFor(Object.fromEntries(planned), runner.folders)
  // The runner gets none of the server's own variables, such as an API key.
  const manager = await finder.managerVariables(plan.command, Object.fromEntries(planned))
  for (const unset of manager.unset)
    log.append('install', 'info', `${unset.file} uses ${unset.name}, which is not set`)
  const forRunner = planned.filter(
    ([key]) => decidesDownload(key) || Object.hasOwn(manager.values, key),
  )
  const installEnv = await finder.environmentFor(
    { ...manager.values, ...Object.fromEntries(forRunner) },
    runner.folders,
    'runner',
  )
  const isFetched = plan.install !== undefined && !plan.install.toolManifest
  const ofManager = startVariables(plan.command, manager.values, isFetched)
  // Addresses of proxies and package indexes may contain passwords.
  mask([
    ...addressPasswords(env),
    ...addressPasswords(installEnv),
    ...Object.values(manager.values),
  ])
  const command = runner.file
  const containerName = newContainerName(plan)
  const args = argsWithNetwork({ ...plan, args: argsWithName(plan, containerName ?? '') }, env)
  const processLedger = ledger.ledgerOf(installationId)
  const place = { dnx: command, cwd, finder, folders }
  const version = offer.kind === 'package' ? offer.pkg.version : undefined
  // Two scripts of one program are two servers, distinguished by their arguments.
  const named = plan.args.map(({ fingerprint }) => fingerprint)
  const entry = cacheEntryOf(
    plan.command,
    plan.args.map(({ value }) => value),
  )
  const fetch = plan.install && {
    ...plan.install,
    ...{ command, env: installEnv, cwd, processLedger, copy: entry },
  }
  const user = { installationId, name }
  const key = JSON.stringify([plan.command, plan.packageName, version, plan.bundleSha256, named])
  return {
    ...terms,
    kind: 'command',
    spec: {
      ...{ command, args: args.map(({ value }) => value), cwd, processLedger, containerName },
      env: { ...ofManager, ...env },
    },
    install: fetch?.toolManifest ? await nugetFetch(fetch, place) : fetch,
    selfInstallKey: selfInstallKey(plan),
    runner: RunnerName.safeParse(programName(plan.command)).data,
    copy: entry && { place: { entry, runner: command, env: installEnv, cwd, processLedger }, user },
    serves,
    packageVersion: version,
    stdinFault: serves ? undefined : stdinFault(plan),
    spoken: versions.of(key, version !== undefined && version !== 'latest'),
    shown: [plan.command, ...args.map(({ shown }) => shown)].join(' '),
  }
}

function stdinFault({ command, args }: CommandPlan): string | undefined {
  return terminalOption(
    programName(command),
    args.map(({ value }) => value),
  )?.message
}

/** Set if the runner fetches its package itself at the server's first start. */
function selfInstallKey(plan: CommandPlan): string | undefined {
  const isFetched = plan.install !== undefined && !plan.install.toolManifest
  const fetches = RunnerName.safeParse(programName(plan.command)).success || isUv(plan.command)
  if (isFetched || !fetches) return undefined
  return JSON.stringify([plan.command, plan.args.map(({ fingerprint }) => fingerprint)])
}
