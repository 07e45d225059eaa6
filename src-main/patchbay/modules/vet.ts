import { join } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ParseNotice, ServerJson } from '../../../src-shared/domain/server-json/server-json'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { ServerLogs } from '../../core/servers/server-logs'
import type { VetProgress } from '../../core/vet/run-checks'
import { VetReports } from '../../core/vet/vet-reports'
import { CHECK_MS, vetServer } from '../../core/vet/vet-server'
import type { HandlersOf } from '../../ipc/answer'
import type { CatalogModule } from './catalog'
import type { AppContext } from './context'
import type { ToolsModule } from './tools'

export type VetModule = {
  readonly reports: VetReports
  readonly handlers: HandlersOf<'vet'>
  /** Stops what is checked; settles when no process of it is left. */
  close(): Promise<void>
}

export type VetDeps = {
  readonly installations: InstallationService
  readonly catalog: CatalogModule
  readonly servers: ServerDirectory
  readonly logs: ServerLogs
  readonly tools: Pick<ToolsModule, 'countTokens'>
}

type Running = {
  readonly controller: AbortController
  readonly ended: Promise<unknown>
  progress: VetProgress | undefined
}

/** Opens the checks of servers, and the reports below the profile folder. */
export function openVet(ctx: AppContext, deps: VetDeps): VetModule {
  const { installations, servers, logs, tools } = deps
  const reports = new VetReports(join(ctx.profileDir, 'reports'))
  const running = new Map<string, Running>()

  async function run({
    installationId,
    checkMs = CHECK_MS,
    ...options
  }: Parameters<HandlersOf<'vet'>['vet.run']>[0]) {
    const installation = installations.read(installationId)
    if (!installations.isApproved(installation)) throw consentError()
    if (running.has(installationId)) throw busyError(installation)
    const controller = new AbortController()
    const ended = Promise.withResolvers<undefined>()
    const now: Running = { controller, ended: ended.promise, progress: undefined }
    running.set(installationId, now)
    try {
      const report = await vetServer(
        {
          ...{ installation, notices: noticesOf(deps.catalog, installation) },
          openStart: (start) => servers.openSeparateStart(installationId, start),
          command: commandOf(installations, installation),
          mask: (text) => logs.mask(text),
          countTokens: (texts) => tools.countTokens(texts),
          patchbayVersion: ctx.info.version,
        },
        {
          ...{ ...options, checkMs, signal: controller.signal },
          onProgress: (progress) => (now.progress = progress),
        },
      )
      reports.add(installationId, report)
      return report
    } catch (error) {
      if (!controller.signal.aborted) throw error
      throw new AppError('REQUEST_CANCELLED', `The check of ${installation.name} was stopped.`)
    } finally {
      running.delete(installationId)
      ended.resolve(undefined)
    }
  }

  return {
    reports,
    handlers: {
      'vet.run': run,
      'vet.progress': ({ installationId }) => running.get(installationId)?.progress ?? null,
      'vet.cancel': ({ installationId }) => running.get(installationId)?.controller.abort(),
      'vet.reports': ({ installationId }) => {
        installations.read(installationId)
        return reports.of(installationId)
      },
    },
    close: async () => {
      const all = [...running.values()]
      for (const { controller } of all) controller.abort()
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}

/** What clients ignore of the entry that a server was set up from; undefined where it is not at hand. */
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

function consentError(): AppError {
  return new AppError('CONSENT_REQUIRED', 'The command is not approved yet.', {
    hint: 'Review the command, then approve it.',
  })
}

function busyError({ name }: Installation): AppError {
  return new AppError('INVALID_REQUEST', `${name} is being checked already.`, {
    hint: 'Wait until the check has ended, or stop it.',
  })
}
