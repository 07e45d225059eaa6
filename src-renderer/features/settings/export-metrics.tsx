import { Download } from 'lucide-react'
import type { ReactElement } from 'react'

import { call } from '../../ipc/call'
import { attempt } from '../../ipc/tell-failure'
import { useAction } from '../../ipc/use-action'
import { Button } from '../../ui/controls/button'
import { fileName, saveText } from '../../ui/saving/save-text'

async function exportMetrics(): Promise<void> {
  const text = await call('metrics.export', {})
  saveText(fileName('Patchbay metrics', Date.now(), 'json'), text)
}

/** Saves the metrics of all servers as a file. */
export function ExportMetrics(): ReactElement {
  const { isBusy, run } = useAction(() => attempt(exportMetrics()))
  return (
    <Button size="small" icon={Download} busy={isBusy} onClick={() => run()}>
      Export metrics
    </Button>
  )
}
