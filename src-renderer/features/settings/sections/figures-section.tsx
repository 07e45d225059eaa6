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
    saveText(fileName('Patchbay metrics', Date.now(), 'json'), text)
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
      Export metrics
    </Button>
  )
}

/** Where figures go besides the profile, and a way to take them along. */
export function FiguresSection({ settings }: { readonly settings: Settings }): ReactElement {
  const host = openCollectorHost(settings.otlpEndpoint)
  return (
    <Section title="Metrics" aside={<ExportFigures />}>
      <SettingField
        id="otlp-endpoint"
        label="OpenTelemetry collector"
        note="OTLP over HTTP"
        hint="Sends server names, counts, times, sizes, and error codes every minute. Never sends arguments, values, answers, log lines, or secrets. Leave blank to keep metrics on this computer."
        placeholder="https://"
        value={settings.otlpEndpoint}
        standard={STANDARD_SETTINGS.otlpEndpoint}
        onSave={saveTyped(typedCollector)}
        below={
          <WarnText>
            {host === null
              ? null
              : `The connection to ${host} is not encrypted. Use https:// if the collector supports it.`}
          </WarnText>
        }
      />
    </Section>
  )
}
