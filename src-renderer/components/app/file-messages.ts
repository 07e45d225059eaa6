import type { HostFile } from '../../../src-shared/domain/agents/host'
import { visibleText } from '../../ui/text/format'

/** Why a file cannot be written as it is, as a sentence; undefined where nothing is known against it. */
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

/** What the app of a file can't read although it can be written, as a sentence. */
export function fileWarning({ state }: Pick<HostFile, 'state'>): string | undefined {
  return state.kind === 'read' ? state.warning : undefined
}

/** A path with `~` for the home folder, and its invisible characters written out. */
export function shortPath(path: string, home: string | undefined): string {
  const rest = home !== undefined && path.startsWith(home) ? path.slice(home.length) : undefined
  return visibleText(rest !== undefined && /^[\\/]/u.test(rest) ? `~${rest}` : path)
}
