import type { HostChange } from '../../../../src-shared/domain/agents/host'
import { AppError } from '../../../../src-shared/domain/app-error'
import type { HostEditor } from '../files/host-editor'
import type { HostRead, HostReading } from './read-hosts'
import { realKey, switchOffEdit } from './switch-off'

type Seen = { readonly fileId: string; readonly seen: string }

export type ImportedOff = {
  /** The files as they were seen. */
  readonly switchOff: readonly Seen[]
  /** What should have been added, and what was. */
  readonly chosen: readonly HostRead[]
  readonly imported: readonly HostRead[]
  readonly editor: Pick<HostEditor, 'apply'>
  readonly isInMemory: boolean
  /** From before the first change, as what is one server depends on what else there is. */
  readonly reading: HostReading
}

/**
 * Switches off what runs the same as an imported server, one file after the other. A file that cannot be changed is
 * left as it is, and so is one that alone holds a secret. In a file that a server is imported from, entries that run
 * the same and were not chosen stay on: whoever wrote both meant two.
 */
export async function switchImportedOff({
  switchOff,
  chosen,
  imported,
  editor,
  isInMemory,
  reading,
}: ImportedOff): Promise<{ changes: HostChange[]; leftOn: string[] }> {
  const changes: HostChange[] = []
  const leftOn: string[] = []
  const done = new Set<string>()
  for (const { fileId, seen } of switchOff) {
    const targets = onIn(reading, fileId, chosen)
    const file = targets[0]?.found.file
    if (file === undefined) {
      leftOn.push(
        `${nameOf(reading, fileId)} was not changed: the server shown is no longer turned on.`,
      )
      continue
    }
    const key = realKey(file)
    if (done.has(key)) continue
    done.add(key)
    const obstacle = obstacleOf(targets, imported)
    if (obstacle !== undefined) {
      leftOn.push(`${file.path} was not changed: ${obstacle}`)
      continue
    }
    try {
      changes.push(await editor.apply(fileId, switchOffEdit(file, targets, isInMemory), seen))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { message, hint } = error
      leftOn.push(hint === undefined ? message : `${message} ${hint}`)
    }
  }
  return { changes, leftOn }
}

function onIn({ servers }: HostReading, fileId: string, chosen: readonly HostRead[]): HostRead[] {
  const isHere = ({ found }: HostRead): boolean => found.file.fileId === fileId
  return servers.filter((one) => {
    if (!isHere(one) || !one.found.isOn) return false
    const same = chosen.filter(({ group }) => group === one.group)
    return same.some(({ found }) => found === one.found) || (same.length > 0 && !same.some(isHere))
  })
}

function nameOf({ servers }: HostReading, fileId: string): string {
  const one = servers.find(({ found }) => found.file.fileId === fileId)
  return one?.found.file.path ?? 'A file'
}

/** Why a file is no longer to be changed as it was shown. */
function obstacleOf(
  targets: readonly HostRead[],
  imported: readonly HostRead[],
): string | undefined {
  for (const { group, fingerprint, server } of targets) {
    const same = imported.filter((one) => one.group === group)
    if (same.length === 0) return `${server.wanted} was not added.`
    if (fingerprint === undefined || fingerprint.asksOnly) continue
    if (same.some((one) => one.fingerprint?.account === fingerprint.account)) continue
    const what = fingerprint.hasSecret ? 'a secret' : 'an account'
    return `${server.wanted} has ${what} there that was not imported.`
  }
  return undefined
}
