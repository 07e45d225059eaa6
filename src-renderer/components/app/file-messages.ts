import type { HostFile } from '../../../src-shared/domain/agents/host'
import { visibleText } from '../../ui/text/untrusted-text'

/** Returns why a file cannot be written, as a sentence; undefined if no problem is known. */
export function fileProblem({ state }: Pick<HostFile, 'state'>): string | undefined {
  switch (state.kind) {
    case 'absent':
      return undefined
    case 'read':
      return state.isReadOnly
        ? 'The file is read-only. Change its permissions, then refresh.'
        : undefined
    case 'broken':
    case 'unreadable':
      return state.problem
  }
}

/** Returns what the app cannot read in a file that Patchbay can write, as a sentence. */
export function fileWarning({ state }: Pick<HostFile, 'state'>): string | undefined {
  return state.kind === 'read' ? state.warning : undefined
}

/** Returns a path with `~` for the home folder and with invisible characters escaped. */
export function shortPath(path: string, home: string | undefined): string {
  const rest = home !== undefined && path.startsWith(home) ? path.slice(home.length) : undefined
  return visibleText(rest !== undefined && /^[\\/]/u.test(rest) ? `~${rest}` : path)
}
