import type { ReactElement } from 'react'

import { LongText } from '../../components/json/long-text'
import { useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { Skeleton } from '../../ui/layout/page'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { problemWords } from '../../ui/text/format'

/** Shows what helps to find a fault before it is copied. */
export function DiagnosticsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { value, loaded } = useRequest('app.diagnostics', {})
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Copy diagnostics"
      description="Versions, changed settings, and the status of your servers, for a report. Known secrets are masked. Read it before you send it."
      leave="Close"
      actions={
        value !== undefined && (
          <Button
            size="form"
            variant="primary"
            onClick={() => copyText(value.text, 'Diagnostics copied.')}
          >
            Copy
          </Button>
        )
      }
    >
      {value === undefined && loaded.kind === 'loading' && <Skeleton label="Collecting" rows={6} />}
      {loaded.kind === 'failed' && (
        <ProblemText topic={loaded.problem.code}>{problemWords(loaded.problem)}</ProblemText>
      )}
      {value !== undefined && (
        <div className="mt-3">
          <LongText text={value.text} label="Diagnostics" />
        </div>
      )}
    </Dialog>
  )
}
