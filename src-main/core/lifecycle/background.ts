import { errorMessage } from '../../../src-shared/domain/error-message'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'

/** In characters. */
const LONGEST = 1_000

/** Lets work go on that nobody waits for; where it fails, the log of the app says what it was. */
export function background(work: Promise<unknown>, what: string): void {
  work.catch((error: unknown) => reportFailure(what, error))
}

/** Says in the log of the app, in one line, that something failed which nobody waits for. */
export function reportFailure(what: string, error: unknown): void {
  const message = errorMessage(error)
  process.stderr.write(`patchbay: ${what}: ${cleanLine(message.slice(0, LONGEST))}\n`)
}
