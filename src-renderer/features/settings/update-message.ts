import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { problemWords } from '../../ui/text/problem-messages'

/** Where an update of Patchbay stands, in a sentence; empty before the first check. */
export function updateMessage(update: UpdateState): string {
  switch (update.kind) {
    case 'idle':
      return ''
    case 'checking':
      return 'Checking for updates.'
    case 'current':
      return 'Patchbay is up to date.'
    case 'available':
      return update.command === undefined
        ? `Version ${update.version} is available.`
        : `Version ${update.version} is available. To install, quit Patchbay and run this command:`
    case 'downloading':
      return `Downloading version ${update.version}: ${update.percent}%.`
    case 'ready':
      return `Version ${update.version} is ready. Patchbay installs the update when you quit.`
    case 'failed':
      return problemWords(update)
  }
}
