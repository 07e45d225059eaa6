import { Plus } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import { OFFICIAL_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { Button } from '../../../ui/controls/button'
import { WholeField } from '../setting/number-setting'
import { saveTyped } from '../setting/save-settings'
import { SettingField } from '../setting/setting-field'
import { STANDARD_SETTINGS, typedRegistryUrl } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'
import { SwitchField } from '../setting/switch-setting'
import { AddRegistryDialog } from './add-registry-dialog'
import { RegistryRow } from './registry-row'

const SWITCHES = [
  {
    key: 'registryEnabled',
    id: 'registry-enabled',
    label: 'Sync this registry',
    hint: 'Keeps a local copy so you can search offline.',
  },
  {
    key: 'catalogUpkeep',
    id: 'catalog-upkeep',
    label: 'Refresh automatically',
    hint: 'Every hour while Patchbay is open.',
  },
  {
    key: 'catalogIcons',
    id: 'catalog-icons',
    label: 'Show server icons',
    hint: 'Icons load from publishers’ sites, which can see your IP address.',
  },
] as const

const PAGES = {
  key: 'registryPages',
  id: 'registry-pages',
  label: 'Page limit per registry',
  hint: 'Sync stops after this many pages and keeps the servers found.',
} as const

/** Which registries the catalog follows, how often it is refreshed, and whether it shows icons. */
export function RegistrySection({ app }: { readonly app: AppState }): ReactElement {
  const { settings, catalog, secretStore } = app
  const isInMemory = secretStore.kind === 'memory'
  const [isAdding, setIsAdding] = useState(false)
  const others = catalog.sources.filter(({ sourceId }) => sourceId !== OFFICIAL_SOURCE)
  const [follow, ...rest] = SWITCHES
  return (
    <Section
      title="Catalog"
      aside={
        <Button id="add-registry" size="small" icon={Plus} onClick={() => setIsAdding(true)}>
          Add registry
        </Button>
      }
    >
      <SettingField
        id="registry-url"
        label="Registry address"
        hint="The main registry of the catalog. Enter the address without /v0.1."
        value={settings.registryUrl}
        standard={STANDARD_SETTINGS.registryUrl}
        onSave={saveTyped(typedRegistryUrl)}
      />
      <SwitchField of={follow} settings={settings} />
      {others.length === 0 ? null : (
        <div>
          <h3 className="medium below-2">Other registries</h3>
          <ul className="col divided roomy" aria-label="Other registries">
            {others.map((source) => (
              <RegistryRow key={source.sourceId} source={source} isInMemory={isInMemory} />
            ))}
          </ul>
        </div>
      )}
      {rest.map((of) => (
        <SwitchField key={of.key} of={of} settings={settings} />
      ))}
      <WholeField of={PAGES} settings={settings} />
      {isAdding && <AddRegistryDialog isInMemory={isInMemory} onClose={() => setIsAdding(false)} />}
    </Section>
  )
}
