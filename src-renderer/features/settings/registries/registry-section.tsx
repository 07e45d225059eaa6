import { Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import { OFFICIAL_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { Button } from '../../../ui/controls/button'
import { SettingsBlock } from '../settings-block'
import { AddRegistryDialog } from './add-registry-dialog'
import { RegistryRow } from './registry-row'

/** The registries that the catalog follows beside its main one. */
export function RegistryBlock({ app }: { readonly app: AppState }): ReactElement {
  const { catalog, secretStore } = app
  const isInMemory = secretStore.kind === 'memory'
  const [isAdding, setIsAdding] = useState(false)
  const others = catalog.sources.filter(({ sourceId }) => sourceId !== OFFICIAL_SOURCE)
  return (
    <SettingsBlock
      title="Other registries"
      aside={
        <Button id="add-registry" size="small" icon={Plus} onClick={() => setIsAdding(true)}>
          Add registry
        </Button>
      }
    >
      {others.length === 0 ? (
        <p className="soft">None. A company may have a registry of its own.</p>
      ) : (
        <ul className="col divided roomy" aria-label="Other registries">
          {others.map((source) => (
            <RegistryRow key={source.sourceId} source={source} isInMemory={isInMemory} />
          ))}
        </ul>
      )}
      {isAdding && <AddRegistryDialog isInMemory={isInMemory} onClose={() => setIsAdding(false)} />}
    </SettingsBlock>
  )
}
