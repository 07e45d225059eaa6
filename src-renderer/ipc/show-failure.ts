import { showErrorHelp } from '../ui/controls/button'
import type { Problems } from '../ui/overlays/dialog'
import { showToast } from '../ui/overlays/toast'
import { problemWords } from '../ui/text/format'
import { call, toErrorShape } from './call'

/** Says why something that has no place of its own for it did not work, and what to do. */
export function showFailure(thrown: unknown): void {
  const problem = toErrorShape(thrown)
  // The preload's bridge is there on the desktop alone, where the log can be shown.
  const hasLog = problem.code === 'INTERNAL' && window.bridge !== undefined
  showToast({
    message: problemWords(problem),
    tone: 'error',
    action: hasLog
      ? { label: 'Show log', onAct: showLog }
      : { label: 'Learn more', onAct: () => showErrorHelp(problem.code) },
  })
}

/** What main rejected, as one text. */
export function refusalWords(thrown: unknown): string {
  return problemWords(toErrorShape(thrown))
}

/** The problem of a form; where something of that name is there already, at the field that names it. */
export function formProblem(thrown: unknown, naming = 'name'): Problems {
  const problem = toErrorShape(thrown)
  const text = problemWords(problem)
  return problem.code === 'NAME_TAKEN' ? { [naming]: text } : { other: text, topic: problem.code }
}

function showLog(): void {
  call('app.showLog', {}).catch(showFailure)
}

/** Waits for something that has no place of its own to fail at: whether it is done; that it failed is reported. */
export async function attempt(work: Promise<unknown>): Promise<'done' | 'failed'> {
  try {
    await work
    return 'done'
  } catch (thrown) {
    showFailure(thrown)
    return 'failed'
  }
}
