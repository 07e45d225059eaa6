import { showToast } from '../ui/overlays/toast'
import { problemWords } from '../ui/text/problem-words'
import { toErrorShape } from './call'

/** Says why something that has no place of its own for it did not work, and what to do. */
export function tellFailure(thrown: unknown): void {
  showToast({ message: problemWords(toErrorShape(thrown)), tone: 'error' })
}

/** Waits for something that has no place of its own to fail at: whether it is done; that it failed is told. */
export async function attempt(work: Promise<unknown>): Promise<'done' | 'failed'> {
  try {
    await work
    return 'done'
  } catch (thrown) {
    tellFailure(thrown)
    return 'failed'
  }
}
