import type { ReactElement } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { saveTyped } from '../setting/save-settings'
import { SettingField } from '../setting/setting-field'
import { STANDARD_SETTINGS, typedClientDocument } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'

/** How Patchbay makes itself known where remote servers want a sign-in. */
export function SignInSection({ settings }: { readonly settings: Settings }): ReactElement {
  return (
    <Section title="Sign-in">
      <SettingField
        id="client-document"
        label="Client metadata document"
        note="OAuth"
        hint={
          <>
            The public URL of a JSON document that describes Patchbay, with the redirect URL{' '}
            <code>http://127.0.0.1/callback</code>. Servers that support it use the URL as client
            ID. Leave blank to register automatically at each server.
          </>
        }
        placeholder="https://"
        value={settings.clientMetadataUrl}
        standard={STANDARD_SETTINGS.clientMetadataUrl}
        onSave={saveTyped(typedClientDocument)}
      />
    </Section>
  )
}
