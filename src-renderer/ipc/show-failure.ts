import { showErrorHelp } from '../ui/controls/button'
import type { Problems } from '../ui/overlays/dialog'
import { showToast } from '../ui/overlays/toast'
import { problemText } from '../ui/text/format'
import { call, toErrorShape } from './call'

/** Shows a failure without a place of its own as a toast, with what to do. */
export function showFailure(thrown: unknown): void {
  const problem = toErrorShape(thrown)
  // Only the desktop app has the preload's bridge, and only it can show the log.
  const hasLog = problem.code === 'INTERNAL' && window.bridge !== undefined
  showToast({
    message: problemText(problem),
    tone: 'error',
    action: hasLog
      ? { label: 'Show log', onAct: showLog }
      : { label: 'Learn more', onAct: () => showErrorHelp(problem.code) },
  })
}

/** Returns an error of main as one text. */
export function errorText(thrown: unknown): string {
  return problemText(toErrorShape(thrown))
}

/** Returns the problems for a form; a taken name appears at its field. */
export function formProblem(thrown: unknown, naming = 'name'): Problems {
  const problem = toErrorShape(thrown)
  const text = problemText(problem)
  return problem.code === 'NAME_TAKEN' ? { [naming]: text } : { other: text, topic: problem.code }
}

function showLog(): void {
  call('app.showLog', {}).catch(showFailure)
}

/** Waits for work whose failure has no place of its own; shows a failure as a toast. */
export async function attempt(work: Promise<unknown>): Promise<'done' | 'failed'> {
  try {
    await work
    return 'done'
  } catch (thrown) {
    showFailure(thrown)
    return 'failed'
  }
}
