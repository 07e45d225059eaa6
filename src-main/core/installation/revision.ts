import { createHash } from 'node:crypto'

import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { startText } from './store/unapplied-changes'

/** A hash of what a page that changes an installation is made of; no secret goes in. */
export function revisionOf(installation: Installation): string {
  const parts = [installation.name, startText(installation)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** Throws CHANGED_MEANWHILE where a page was made of an earlier state; without a revision nothing is checked. */
export function checkRevision(installation: Installation, revision: string | undefined): void {
  if (revision === undefined || revision === revisionOf(installation)) return
  throw new AppError(
    'CHANGED_MEANWHILE',
    'The server was changed in another window since you opened this page.',
    { hint: 'Open it again. Your input stays on this page until you leave it.' },
  )
}
