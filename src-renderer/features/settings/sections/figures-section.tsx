import { Download } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { call } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'
import { Button } from '../../../ui/controls/button'
import { WarnText } from '../../../ui/fields/warn-text'
import { fileName, saveText } from '../../../ui/saving/save-text'
import { saveTyped } from '../setting/save-settings'
import { SettingField } from '../setting/setting-field'
import { openCollectorHost, STANDARD_SETTINGS, typedCollector } from '../setting/setting-rules'
import { Section } from '../setting/setting-section'

async function exportFigures(): Promise<void> {
  try {
    const text = await call('figures.export', {})
    saveText(fileName('Patchbay figures', Date.now(), 'json'), text)
  } catch (thrown) {
    tellFailure(thrown)
  }
}

function ExportFigures(): ReactElement {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Button
      size="small"
      icon={Download}
      busy={isBusy}
      onClick={() => {
        setIsBusy(true)
        void exportFigures().finally(() => setIsBusy(false))
      }}
    >
      Export figures
    </Button>
  )
}

/** Where figures go besides the profile, and a way to take them along. */
export function FiguresSection({ settings }: { readonly settings: Settings }): ReactElement {
  const host = openCollectorHost(settings.otlpEndpoint)
  return (
    <Section title="Figures" aside={<ExportFigures />}>
      <SettingField
        id="otlp-endpoint"
        label="OpenTelemetry collector"
        note="OTLP over HTTP"
        hint="Sent every minute: names of servers, counts, times, sizes and error codes. Never sent: arguments, values, answers, log lines, secrets. Empty: figures stay on this computer, for 24 h."
        placeholder="https://"
        value={settings.otlpEndpoint}
        standard={STANDARD_SETTINGS.otlpEndpoint}
        onSave={saveTyped(typedCollector)}
        below={
          <WarnText>
            {host === null
              ? null
              : `The way to ${host} is not encrypted: others in the network can read the figures. Use https:// where the collector offers it.`}
          </WarnText>
        }
      />
    </Section>
  )
}
