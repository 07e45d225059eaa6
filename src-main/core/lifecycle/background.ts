import { errorMessage } from '../../../src-shared/domain/error-message'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'

/** In characters. */
const LONGEST = 1_000

/** Runs work that nobody awaits; a failure goes to the app's log with `what`. */
export function background(work: Promise<unknown>, what: string): void {
  work.catch((error: unknown) => reportFailure(what, error))
}

/** Logs a failure of background work in one line. */
export function reportFailure(what: string, error: unknown): void {
  const message = errorMessage(error)
  process.stderr.write(`patchbay: ${what}: ${cleanLine(message.slice(0, LONGEST))}\n`)
}
