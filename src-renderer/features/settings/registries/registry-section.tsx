import { Plus } from 'lucide-react'
import { type ReactElement, useState } from 'react'

import { OFFICIAL_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import type { AppState } from '../../../../src-shared/domain/state/app-state'
import { typedRegistryUrl } from '../../../components/settings/setting-rules'
import { call } from '../../../ipc/call'
import { formProblem } from '../../../ipc/tell-failure'
import { Button } from '../../../ui/controls/button'
import { Field } from '../../../ui/fields/field'
import { SecretInput } from '../../../ui/fields/secret-input'
import { TextInput } from '../../../ui/fields/text-input'
import { FormDialog, type Problems } from '../../../ui/overlays/form-dialog'
import { SettingsBlock } from '../settings-block'
import { RegistryRow } from './registry-row'

/** The registries that the catalog follows next to its main one. */
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

/** Adds a registry, and says what is wrong with what was typed. */
async function addRegistry({
  address,
  token,
  onAdded,
}: {
  readonly address: string
  readonly token: string
  readonly onAdded: () => void
}): Promise<Problems> {
  const read = typedRegistryUrl(address)
  const baseUrl = 'change' in read ? read.change.registryUrl : undefined
  if (baseUrl === undefined)
    return { address: 'Enter an address that starts with https:// or http://.' }
  try {
    await call('catalog.addSource', { baseUrl, ...(token !== '' && { token }) })
    onAdded()
    return {}
  } catch (thrown) {
    return formProblem(thrown, 'address')
  }
}

/** Asks for the address of one more registry, and for its token where it wants one. */
function AddRegistryDialog({
  isInMemory,
  onClose,
}: {
  /** Secrets are kept in memory: there is no keychain. */
  readonly isInMemory: boolean
  readonly onClose: () => void
}): ReactElement {
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  return (
    <FormDialog
      title="Add registry"
      description="The catalog also shows the servers of this registry. Its operator decides what is listed."
      submitLabel="Add"
      onSubmit={() => addRegistry({ address, token: token.trim(), onAdded: onClose })}
      onClose={onClose}
    >
      {({ id, problems }) => (
        <>
          <Field
            id={`${id}-address`}
            label="Address"
            hint="Enter the address without /v0.1."
            problem={problems.address}
          >
            {(ids) => (
              <TextInput
                {...ids}
                mono
                inputMode="url"
                aria-required
                value={address}
                onValueChange={setAddress}
              />
            )}
          </Field>
          <Field
            id={`${id}-token`}
            label="Token"
            hint={`Only if the registry requires one. Saved in ${isInMemory ? 'memory until you quit' : 'the keychain'} and sent only to this address.`}
          >
            {(ids) => (
              <SecretInput
                ids={ids}
                value={token}
                onValueChange={(next) => setToken(next ?? '')}
                required={false}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
