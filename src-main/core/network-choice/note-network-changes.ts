import type { Installation } from '../../../src-shared/domain/installation/installation'
import { NETWORK_CHANGED } from '../../../src-shared/domain/state/network-view'
import type { UnappliedChanges } from '../installation/store/unapplied-changes'
import type { NetworkChoice } from './network-choice'

/**
 * Notes each change of the network at the servers that run as children: they keep the variables that they were started
 * with. A remote server goes the new way at once.
 */
export function noteNetworkChanges(
  choice: Pick<NetworkChoice, 'onDidChange'>,
  installations: () => readonly Pick<Installation, 'installationId' | 'offer'>[],
  changes: UnappliedChanges,
): Disposable {
  return choice.onDidChange(() => {
    for (const { installationId, offer } of installations())
      if (offer.kind === 'package') changes.note(installationId, NETWORK_CHANGED)
  })
}
