import { app, dialog } from 'electron'

import { AppError } from '../../src-shared/domain/app-error'

/** Ends an app that could not start with exit code 1, after telling why in a dialog and on stderr. */
export function failStart(error: unknown): void {
  const reason = reasonOf(error)
  process.stderr.write(`Patchbay could not start: ${reason}\n`)
  dialog.showErrorBox('Patchbay could not start', reason)
  app.exit(1)
}

/** What happened, and what to do where that is known. */
function reasonOf(error: unknown): string {
  if (error instanceof AppError) return [error.message, error.hint].filter(Boolean).join('\n\n')
  return error instanceof Error ? error.message : String(error)
}
