import type { HostEdit } from '../files/change-plan'
import type { FoundFile } from '../files/found-file'
import { editList } from '../files/host-lists'
import type { HostDocument } from '../formats/host-document'
import type { HostRead } from './read-hosts'

/** Returns a key that is equal for all apps that read the same list in the same file. */
export function realKey({ realPath, list }: FoundFile): string {
  return JSON.stringify([realPath, list.keys])
}

/**
 * Returns an edit that turns off entries of one file: in place if the app supports it, otherwise by removing them. `isInMemory`: there is
 * no keychain.
 */
export function switchOffEdit(
  file: FoundFile,
  servers: readonly HostRead[],
  isInMemory: boolean,
): HostEdit {
  const { off } = file.app
  const one = (document: HostDocument, name: string): HostDocument =>
    off ? document.withMember(name, off.key, off.value) : document.without(name)
  return {
    kind: 'switchOff',
    entryNames: servers.map(({ found }) => found.entryName),
    edit: (document) =>
      servers.reduce(
        (current, { found: { listed, name } }) =>
          editList(current, file.list, listed.list, (part) => one(part, name)),
        document,
      ),
    notes: notesOf(file, servers, isInMemory),
  }
}

function notesOf(
  { app: { name, off } }: FoundFile,
  servers: readonly HostRead[],
  isInMemory: boolean,
): string[] {
  const hasSecrets = servers.some(({ fingerprint }) => fingerprint?.hasSecret === true)
  if (off && hasSecrets) return ['Secrets stay in this file as plain text.']
  if (off) return []
  const out = `${name} can’t turn off a server in its file, so entries are removed.`
  if (!hasSecrets) return [out]
  if (isInMemory)
    return [
      out,
      'Without a keychain, their secrets and the backup of this file are kept in memory only and lost when Patchbay quits. Save them elsewhere first, or leave this file unchanged.',
    ]
  return [
    out,
    'Their secrets are then stored only in the keychain and in an encrypted backup of this file, kept for a while so you can undo this.',
  ]
}
