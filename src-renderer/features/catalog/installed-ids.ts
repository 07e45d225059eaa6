import {
  listedKey,
  type ListedRef,
  OFFICIAL_SOURCE,
  PASTED_SOURCE,
  STARTER_SOURCE,
} from '../../../src-shared/domain/catalog/listed-ref'
import type { ServerView } from '../../../src-shared/domain/state/app-state'

type Installed = Pick<ServerView, 'installationId' | 'entryName' | 'sourceId'>

/** Tells the installation of a listed server that was made last; another registry may use its name for something else. */
export function installedIds(
  servers: readonly Installed[],
): (listed: ListedRef) => string | undefined {
  const ids = new Map(
    servers.flatMap(({ sourceId, entryName: name, installationId }) =>
      sourceId === undefined ? [] : [[listedKey({ sourceId, name }), installationId] as const],
    ),
  )
  return ({ sourceId, name }) => ids.get(listedKey({ sourceId: registryOf(sourceId), name }))
}

/** The registry that a server goes by which comes with Patchbay or was pasted, or else its own. */
function registryOf(sourceId: string): string {
  return sourceId === STARTER_SOURCE || sourceId === PASTED_SOURCE ? OFFICIAL_SOURCE : sourceId
}
