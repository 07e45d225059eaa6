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
    label: 'Follow this registry',
    hint: 'Its list is kept on this computer, so that the catalog is searched without a network.',
  },
  {
    key: 'catalogUpkeep',
    id: 'catalog-upkeep',
    label: 'Refresh each hour',
    hint: 'While Patchbay is open. Without it, the catalog is refreshed by its button.',
  },
  {
    key: 'catalogIcons',
    id: 'catalog-icons',
    label: 'Show icons of servers',
    hint: 'They are fetched from where publishers keep them, who can see the address of this computer.',
  },
] as const

const PAGES = {
  key: 'registryPages',
  id: 'registry-pages',
  label: 'Most pages of a registry',
  hint: 'A registry with more of them is taken for one without end. What came until then is kept.',
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
          Add a registry
        </Button>
      }
    >
      <SettingField
        id="registry-url"
        label="Registry address"
        hint="The registry that the catalog lists. Its API is found below /v0.1."
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
