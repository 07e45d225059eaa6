import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ParseNotice, ServerJson } from '../../../src-shared/domain/server-json/server-json'
import type { VetProgress, VetReport } from '../../../src-shared/domain/vet/vet-report'
import { uniqueName } from '../../core/installation/draft'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ServerRemovals } from '../../core/removal/server-removals'
import type { ServerLogs } from '../../core/servers/server-logs'
import { consentError } from '../../core/servers/start/prepare-launch'
import type { VetReports } from '../../core/vet/vet-reports'
import type { VetSubject } from '../../core/vet/vet-server'
import type { HandlersOf } from '../../ipc/answer'
import type { CatalogModule } from './catalog'
import type { AppContext } from './context'
import { offerIn } from './forms'
import type { ServersModule } from './servers'
import type { ToolsModule } from './tools'

export type VetModule = {
  readonly handlers: HandlersOf<'vet'>
  /** Stops running checks; settles when none of their processes is left. */
  close(): Promise<void>
}

export type VetDeps = {
  readonly installations: InstallationService
  readonly removals: Pick<ServerRemovals, 'remove'>
  readonly catalog: CatalogModule
  readonly running: ServersModule
  readonly logs: ServerLogs
  readonly reports: VetReports
}

type CountTokens = ToolsModule['countTokens']

type Running = { readonly controller: AbortController; progress: VetProgress | undefined }

type VetRunOptions = Omit<Parameters<HandlersOf<'vet'>['vet.run']>[0], 'installationId'>

/** Opens the checks of servers. */
export function openVet(ctx: AppContext, deps: VetDeps, countTokens: CountTokens): VetModule {
  const { installations, removals, catalog, reports } = deps
  /** By installation or entry. */
  const running = new Map<string, Running>()
  /** Running checks, including their temporary installations. */
  const activeRuns = new Set<Promise<unknown>>()
  const track = (run: Promise<VetReport>): Promise<VetReport> => {
    activeRuns.add(run)
    return run.finally(() => activeRuns.delete(run))
  }
  const check = async (
    key: string,
    installation: Installation,
    { checkMs, ...options }: VetRunOptions,
  ): Promise<VetReport> => {
    const { name } = installation
    if (!installations.isApproved(installation)) throw consentError()
    if (running.has(key))
      throw new AppError('INVALID_REQUEST', `${name} is being checked already.`, {
        hint: 'Wait until the check has ended, or stop it.',
      })
    const controller = new AbortController()
    const now: Running = { controller, progress: undefined }
    running.set(key, now)
    try {
      const subject = { ...subjectOf(ctx, deps, installation), countTokens }
      // Loaded on demand: most users never check a server.
      const { CHECK_MS, vetServer } = await import('../../core/vet/vet-server')
      const report = await vetServer(subject, {
        ...{ ...options, checkMs: checkMs ?? CHECK_MS, signal: controller.signal },
        onProgress: (progress) => (now.progress = progress),
      })
      reports.add(installation, report)
      return report
    } catch (error) {
      if (!controller.signal.aborted) throw error
      throw new AppError('REQUEST_CANCELLED', `The check of ${name} was stopped.`)
    } finally {
      running.delete(key)
    }
  }
  const checkEntry = async ({
    entryId,
    offer,
    ...input
  }: Parameters<HandlersOf<'vet'>['vet.runEntry']>[0]): Promise<VetReport> => {
    const { values, secrets, cwd, approvedPlan, ...options } = input
    const entry = await catalog.catalog.find(entryId)
    offerIn(entry, offer)
    const name = uniqueName(entry.server.title ?? entry.server.name, ctx.store.installations)
    const draft = { name, values, secrets, cwd, approvedPlan, budgets: {} }
    const how = { enabled: false, asItIs: false, isAside: true }
    const installation = await installations.create(entry, offer, draft, how)
    try {
      return await check(entryId, installation, options)
    } finally {
      await removals.remove(installation.installationId, true)
    }
  }
  return {
    handlers: {
      'vet.run': ({ installationId, ...options }) =>
        track(check(installationId, installations.read(installationId), options)),
      'vet.runEntry': (input) => track(checkEntry(input)),
      'vet.progress': (of) => running.get(keyOf(of))?.progress ?? null,
      'vet.cancel': (of) => running.get(keyOf(of))?.controller.abort(),
      'vet.reports': async (of) =>
        reports.of(
          'entryId' in of
            ? await catalog.catalog.find(of.entryId)
            : installations.read(of.installationId),
        ),
    },
    close: async () => {
      for (const { controller } of running.values()) controller.abort()
      await Promise.allSettled(activeRuns)
    },
  }
}

function keyOf(of: { readonly entryId: string } | { readonly installationId: string }): string {
  return 'entryId' in of ? of.entryId : of.installationId
}

function subjectOf(
  ctx: AppContext,
  { installations, catalog, running, logs }: VetDeps,
  installation: Installation,
): Omit<VetSubject, 'countTokens'> {
  const { installationId } = installation
  return {
    ...{ installation, notices: noticesOf(catalog, installation) },
    openStart: (start) => running.servers.openSeparateStart(installationId, start),
    command: commandOf(installations, installation),
    mask: (text) => logs.mask(text),
    patchbayVersion: ctx.info.version,
  }
}

/** Ignored parts of the entry that a server was set up from; undefined if it isn't available. */
function noticesOf(
  { catalog }: CatalogModule,
  installation: Installation,
): readonly ParseNotice[] | undefined {
  const { source, server } = installation
  const entries = source === 'pasted' ? catalog.pasted : catalog.versionsOf(server.name)
  const isIt = (one: ServerJson): boolean =>
    one.name === server.name && one.version === server.version
  return entries.find((entry) => isIt(entry.server))?.notices
}

function commandOf(installations: InstallationService, installation: Installation): string {
  const preview = installations.previewOf(installation)
  if (preview.kind === 'remote') return preview.url.text
  return [preview.command, ...preview.args.map(({ text }) => text)].join(' ')
}
