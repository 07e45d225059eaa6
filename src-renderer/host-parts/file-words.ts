import type { HostFile } from '../../src-shared/domain/agents/host'
import { counted } from '../ui/text/elapsed'

/** The last part of a path of any system. */
export function fileName(path: string): string {
  return path.split(/[\\/]/u).findLast((part) => part !== '') ?? path
}

/** Why a file cannot be written as it is, as a sentence; undefined where nothing is known against it. */
export function fileProblem({ state }: Pick<HostFile, 'state'>): string | undefined {
  switch (state.kind) {
    case 'absent':
      return undefined
    case 'read':
      return state.isReadOnly ? 'The file is read-only, so Patchbay cannot write it.' : undefined
    case 'broken':
    case 'unreadable':
      return state.problem
  }
}

/** How a file without a connection is, as a sentence. */
export function fileSentence({ state }: Pick<HostFile, 'state'>): string {
  if (state.kind === 'absent') return 'Not connected. The file is made when you connect.'
  if (state.kind !== 'read' || state.servers === 0) return 'Not connected.'
  const servers = counted(state.servers, 'server')
  return `Not connected. It has ${servers} of its own.`
}

/** "Zed", "Zed and Cursor", "Zed, Cursor and Codex". */
export function namesInWords(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
