import type { Recovery } from '../../../src-shared/domain/running/history'
import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { usePast } from './use-past'

/** What recovered by itself since the user was last done with it. */
export type Recoveries = { readonly found: readonly Recovery[]; readonly dismiss: () => void }

/** What recovered, and how to be done with it. */
export function useRecoveries(): Recoveries {
  const [found, forget] = usePast('history.recoveries')
  const dismiss = (): void => {
    forget()
    call('history.markLooked', {}).catch(tellFailure)
  }
  return { found, dismiss }
}
