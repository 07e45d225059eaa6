import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import type { Offer } from '../../../../src-shared/domain/server-json/offer'
import { terminalOption } from '../../../../src-shared/form/terminal-option'
import type { BundleFolder } from '../../bundle/bundle-folder'
import { nugetFetch } from '../../launch/downloads/nuget-fetch'
import { startVariables } from '../../launch/environment/manager-variables'
import { programName } from '../../launch/environment/program-name'
import { argsWithName, newContainerName } from '../../launch/packages/container-name'
import { argsWithNetwork } from '../../launch/packages/container-network'
import { isUv } from '../../launch/packages/uv-project'
import { addressPasswords } from '../../launch/paths/address-passwords'
import { decidesDownload } from '../../launch/plan/code-deciding'
import type { CommandPlan } from '../../launch/plan/launch-plan'
import { cacheEntryOf } from '../../launch/repair/cache-entry'
import type { RunnerDoctor } from '../../launch/runners/runner-doctor'
import type { LogBuffer } from '../../log/log-buffer'
import type { OrphanLedger } from '../../process/orphans/orphan-ledger'
import type { PrivateFolders } from '../../process/spawn/private-folders'
import type { CommandLaunch, LaunchTerms } from './launch'
import { prepareLocalHttp } from './prepare-remote'
import type { ProtocolVersionCache } from './protocol-version-cache'

export type CommandParts = {
  readonly log: LogBuffer
  readonly doctor: RunnerDoctor
  readonly ledger: OrphanLedger
  readonly folders: PrivateFolders
  readonly bundles: Pick<BundleFolder, 'check'>
  readonly eras: ProtocolVersionCache
}

/** What is to be prepared: an approved plan and the folder it runs in, and what masks its secrets. */
export type ApprovedCommand = {
  readonly installation: Installation
  readonly offer: Offer
  readonly plan: CommandPlan
  readonly cwd: string
  /** Masks these too. */
  readonly mask: (more: readonly string[]) => void
  readonly terms: Omit<LaunchTerms, 'shown' | 'spoken'>
}

/** Finds the runner of an approved command and makes its environment. Rejects with INVALID_BUNDLE, or as `prepareLocalHttp` and `RunnerDoctor.examine` do. */
export async function prepareCommand(
  { installation, offer, plan, cwd, mask, terms }: ApprovedCommand,
  { log, doctor, ledger, folders, bundles, eras }: CommandParts,
): Promise<CommandLaunch> {
  const serves = plan.transport && prepareLocalHttp(plan.transport)
  if (offer.kind === 'package') await bundles.check(offer.pkg)
  // Never on a PATH that the entry sets: what was approved as "npx" must be the person's npx.
  const runner = await doctor.examine(plan.command)
  for (const warning of runner.warnings) log.append('patchbay', 'warn', warning)
  const { finder } = doctor
  const planned = plan.env.map(({ name, value }) => [name, value] as const)
  const env = await finder.environmentFor(Object.fromEntries(planned), runner.folders)
  // What the server is told, such as an API key, is not the runner's to know.
  const manager = await finder.managerVariables(plan.command, Object.fromEntries(planned))
  for (const { file, name } of manager.unset)
    log.append('install', 'info', `${file} uses ${name}, which is not set`)
  const forRunner = planned.filter(
    ([name]) => decidesDownload(name) || Object.hasOwn(manager.values, name),
  )
  const installEnv = await finder.environmentFor(
    { ...manager.values, ...Object.fromEntries(forRunner) },
    runner.folders,
    'runner',
  )
  const isFetched = plan.install !== undefined && !plan.install.toolManifest
  const ofManager = startVariables(plan.command, manager.values, isFetched)
  // A proxy or an index of the person's own may have its password in its address.
  mask([
    ...addressPasswords(env),
    ...addressPasswords(installEnv),
    ...Object.values(manager.values),
  ])
  const command = runner.file
  const containerName = newContainerName(plan)
  const args = argsWithNetwork({ ...plan, args: argsWithName(plan, containerName ?? '') }, env)
  const keeper = ledger.keeperOf(installation.installationId)
  const place = { dnx: command, cwd, finder, folders }
  const version = offer.kind === 'package' ? offer.pkg.version : undefined
  // Two scripts of one program are two servers: what they are is in their arguments.
  const named = plan.args.map(({ fingerprint }) => fingerprint)
  const entry = cacheEntryOf(
    plan.command,
    plan.args.map(({ value }) => value),
  )
  const fetch = plan.install && {
    ...plan.install,
    ...{ command, env: installEnv, cwd, keeper, copy: entry },
  }
  const user = { installationId: installation.installationId, name: installation.name }
  const key = JSON.stringify([plan.command, plan.packageName, version, plan.bundleSha256, named])
  return {
    ...terms,
    kind: 'command',
    spec: {
      ...{ command, args: args.map(({ value }) => value), cwd, keeper, containerName },
      env: { ...ofManager, ...env },
    },
    install: fetch?.toolManifest ? await nugetFetch(fetch, place) : fetch,
    selfInstallKey: selfInstallKey(plan),
    runner: RunnerName.safeParse(programName(plan.command)).data,
    copy: entry && { place: { entry, runner: command, env: installEnv, cwd, keeper }, user },
    serves,
    packageVersion: version,
    stdinFault: serves ? undefined : stdinFault(plan),
    spoken: eras.of(key, version !== undefined && version !== 'latest'),
    shown: [plan.command, ...args.map(({ shown }) => shown)].join(' '),
  }
}

function stdinFault({ command, args }: CommandPlan): string | undefined {
  return terminalOption(
    programName(command),
    args.map(({ value }) => value),
  )?.message
}

/** A runner that nothing was surely fetched for fetches its package itself when the server is first started. */
function selfInstallKey(plan: CommandPlan): string | undefined {
  const isFetched = plan.install !== undefined && !plan.install.toolManifest
  const fetches = RunnerName.safeParse(programName(plan.command)).success || isUv(plan.command)
  if (isFetched || !fetches) return undefined
  return JSON.stringify([plan.command, plan.args.map(({ fingerprint }) => fingerprint)])
}
