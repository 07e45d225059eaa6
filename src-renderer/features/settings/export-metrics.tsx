import { Download } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import { call } from '../../ipc/call'
import { attempt } from '../../ipc/tell-failure'
import { Button } from '../../ui/controls/button'
import { fileName, saveText } from '../../ui/saving/save-text'

async function exportMetrics(): Promise<void> {
  const text = await call('metrics.export', {})
  saveText(fileName('Patchbay metrics', Date.now(), 'json'), text)
}

/** Saves the metrics of all servers as a file. */
export function ExportMetrics(): ReactElement {
  const [isBusy, setIsBusy] = useState(false)
  return (
    <Button
      size="small"
      icon={Download}
      busy={isBusy}
      onClick={() => {
        setIsBusy(true)
        void attempt(exportMetrics()).finally(() => setIsBusy(false))
      }}
    >
      Export metrics
    </Button>
  )
}
