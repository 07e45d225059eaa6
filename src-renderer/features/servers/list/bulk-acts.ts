import { isActive, isWanted } from '../../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { serverActions } from '../../../components/server/server-actions'

/** What can be asked of several servers at once. */
export type BulkAct = 'start' | 'stop' | 'restart' | 'enable' | 'disable'

type Chosen = Pick<ServerView, 'installationId' | 'status' | 'enabled'>

/** The words of each: on its button, and of what is done. */
export const BULK_WORDS: Readonly<
  Record<BulkAct, { readonly label: string; readonly done: string }>
> = {
  start: { label: 'Start', done: 'starting' },
  stop: { label: 'Stop', done: 'stopping' },
  restart: { label: 'Restart', done: 'restarting' },
  enable: { label: 'Turn on', done: 'turned on' },
  disable: { label: 'Turn off', done: 'turned off' },
}

/** The servers for which an act changes something. */
export function concerned<S extends Chosen>(servers: readonly S[], act: BulkAct): S[] {
  return servers.filter(({ status, enabled }) => {
    switch (act) {
      case 'start':
        return !isActive(status)
      case 'stop':
        return isWanted(status)
      case 'restart':
        return isActive(status) && status.kind !== 'stopping'
      case 'enable':
        return !enabled
      case 'disable':
        return enabled
    }
  })
}

const SEND: Readonly<Record<BulkAct, (installationId: string) => Promise<boolean>>> = {
  start: serverActions.start,
  stop: serverActions.stop,
  restart: serverActions.restart,
  enable: (installationId) => serverActions.setEnabled(installationId, true),
  disable: (installationId) => serverActions.setEnabled(installationId, false),
}

/** Asks one after the other; tells after each how many were asked, and in the end which main took. */
export async function runBulk(
  ids: readonly string[],
  act: BulkAct,
  onProgress: (count: number) => void,
): Promise<readonly string[]> {
  const done: string[] = []
  for (const [index, id] of ids.entries()) {
    if (await SEND[act](id)) done.push(id)
    onProgress(index + 1)
  }
  return done
}

/** What takes an act back; only switching on and off can be. */
export function undoOf(act: BulkAct): BulkAct | undefined {
  if (act === 'enable') return 'disable'
  return act === 'disable' ? 'enable' : undefined
}
