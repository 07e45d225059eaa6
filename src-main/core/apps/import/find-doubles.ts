import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { Doubles } from '../doubles'
import { hereAs } from './here-as'
import { type ImportParts, isSecretInMemory, readAll, type ReadingParts } from './host-imports'

export type DoublesParts = ReadingParts &
  Pick<ImportParts, 'installations' | 'vault'> & {
    /** Whether a server failed and waits for its user. */
    readonly hasFailed: (installationId: string) => boolean
  }

/** The entries of a file that are on and run a server that Patchbay provides to an agent of this profile: turned on, approved, shown to it, and not failed. */
export async function findDoubles(
  parts: DoublesParts,
  fileId: string,
  profile: AgentProfile,
): Promise<Doubles> {
  const { installations, store, hasFailed } = parts
  const provided = store.installations.filter(
    (one) =>
      one.enabled &&
      one.approvedPlan !== undefined &&
      isShown(profile, one) &&
      !hasFailed(one.installationId),
  )
  const isInMemory = await isSecretInMemory(parts)
  if (provided.length === 0) return { servers: [], isInMemory }
  const findHere = hereAs(provided, installations)
  const { servers } = await readAll(parts, [])
  const isDouble = (one: (typeof servers)[number]): boolean =>
    one.found.file.fileId === fileId && one.found.isOn && findHere(one) !== undefined
  return { servers: servers.filter(isDouble), isInMemory }
}

function isShown({ servers }: AgentProfile, { installationId }: Installation): boolean {
  if (servers.kind !== 'list') return servers.kind === 'all'
  return servers.list.some(
    (one) => one.installationId === installationId && one.choice.kind !== 'none',
  )
}
