import { expect, it, onTestFinished } from 'vitest'

import { NETWORK_CHANGED } from '../../../src-shared/domain/state/network-view'
import { UnappliedChanges } from '../installation/store/store-change'
import { Emitter } from '../lifecycle/emitter'
import { recordNetworkChanges } from './network-choice'

it("E8: a changed network waits for a child's next start, but not for a remote server's", () => {
  const changed = new Emitter<undefined>()
  const changes = new UnappliedChanges()
  const child = { installationId: 'child', offer: { kind: 'package', index: 0 } } as const
  const far = { installationId: 'far', offer: { kind: 'remote', index: 0 } } as const
  const following = recordNetworkChanges(
    { onDidChange: changed.event },
    () => [child, far],
    changes,
  )
  onTestFinished(() => following[Symbol.dispose]())

  expect(changes.of('child')).toEqual([])
  changed.emit(undefined)
  changed.emit(undefined)
  expect(changes.of('child')).toEqual([NETWORK_CHANGED])
  expect(changes.of('far')).toEqual([])
})
