import type { AppError } from '../../../../src-shared/domain/app-error'
import { removeCopy, repairError } from '../../launch/repair/remove-copy'
import type { PreparedLaunch } from './launch'
import type { StartContext } from './start-context'
import type { StartTimeline } from './start-timeline'

/**
 * The step that takes away what the runner keeps of a package, so that the next step fetches it anew (E7). Rejects with
 * REPAIR_FAILED: also while another server runs from the same copy, which would lose its files under way.
 */
export async function repairCopy(
  context: StartContext,
  track: StartTimeline,
  launch: PreparedLaunch,
): Promise<void> {
  const { installMs } = launch.budgets
  const end = new AbortController()
  const signal = AbortSignal.any([context.signal, end.signal])
  let work: Promise<void> | undefined
  const run = (): Promise<void> => (work = repair(context, launch, signal))
  try {
    await track.run('repair', installMs, run)
  } catch (error) {
    // No folder must go away behind a status that says it failed.
    end.abort(error)
    await Promise.allSettled([work])
    throw error
  }
}

async function repair(
  { installer, log, onInstallLine }: StartContext,
  launch: PreparedLaunch,
  signal: AbortSignal,
): Promise<void> {
  if (launch.kind === 'remote' || !launch.copy) throw untold()
  const { place, user } = launch.copy
  const others = installer.uses.others(place.entry, user.installationId)
  if (others.length > 0)
    throw repairError(
      `The same package copy is in use by ${others.join(', ')}.`,
      'Stop these servers, then repair again.',
    )
  // What was left to go on fills the very folder.
  await installer.release(onInstallLine)
  const { installMs: limitMs } = launch.budgets
  const { folder, refetch } = await removeCopy(place, { limitMs, signal })
  installer.forget(launch.install, launch.selfInstallKey)
  const what =
    folder === undefined
      ? `${place.entry.runner} keeps no copy of the package`
      : `Removed the package copy of ${place.entry.runner}: ${folder}`
  log.append('patchbay', 'info', what)
  signal.throwIfAborted()
  if (refetch) await installer.join(refetch, onInstallLine, (line) => log.redactor(line)).finished
}

function untold(): AppError {
  return repairError(
    'The command’s package can’t be identified.',
    'Only plain npx and uvx commands can be repaired.',
  )
}
