import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type JSX, useEffect, useEffectEvent, useState } from 'react'

import { vetMarkdown } from '../../../src-shared/domain/vet/vet-markdown'
import { vetHeadline, type VetReport } from '../../../src-shared/domain/vet/vet-report'
import type { RequestInput } from '../../../src-shared/ipc/contract'
import { VetProgressView, VetReportView } from '../../components/vet/vet-report-view'
import { call } from '../../ipc/call'
import { useAction, useRequest } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { ProblemBanner } from '../../ui/layout/page'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'

function useOtherReports(entryId: string, report: VetReport | undefined): VetReport[] {
  const { value = [] } = useRequest('vet.reports', { entryId })
  return value.filter(({ server }) => server.version !== report?.server.version)
}

/** Checks an entry with the values and the command that the user approved, and shows its report. */
export function CheckEntryDialog(props: {
  readonly check: RequestInput<'vet.runEntry'>
  readonly onClose: () => void
}): JSX.Element {
  const { check, onClose } = props
  const { entryId } = check
  const queries = useQueryClient()
  const [report, setReport] = useState<VetReport>()
  const otherReports = useOtherReports(entryId, report)
  const { run, problem, isBusy } = useAction(
    () => call('vet.runEntry', check),
    (found) => {
      setReport(found)
      void queries.invalidateQueries({ queryKey: ['vet.reports'] })
    },
  )
  const runOnOpen = useEffectEvent(() => run())
  useEffect(() => runOnOpen(), [])
  const close = (): void => {
    // A finished check needs no cancellation.
    if (isBusy) void call('vet.cancel', { entryId })
    onClose()
  }
  return (
    <ReportDialog
      comesUnasked
      title={report ? 'Report' : 'Checking the server'}
      leave={report || problem ? 'Close' : 'Cancel'}
      onClose={close}
      report={report}
      others={otherReports}
    >
      <ProblemBanner problem={problem} />
      {!report && !problem && <VetProgressView subject={{ entryId }} />}
    </ReportDialog>
  )
}

function ReportDialog(
  props: Omit<ComponentProps<typeof Dialog>, 'actions'> & {
    readonly report: VetReport | undefined
    readonly others: readonly VetReport[]
  },
): JSX.Element {
  const { report, others: otherReports, children, ...dialog } = props
  const copy = (shown: VetReport): void =>
    copyText(vetMarkdown(shown), 'Report copied as Markdown.')
  return (
    <Dialog
      wide
      {...dialog}
      actions={
        report && (
          <Button size="form" onClick={() => copy(report)}>
            Copy as Markdown
          </Button>
        )
      }
    >
      <div className="scroll grid max-h-[60vh] gap-4">
        {children}
        {report && <VetReportView report={report} others={otherReports} />}
      </div>
    </Dialog>
  )
}

/** The report of the last check of exactly this version. */
export function LastReport(props: {
  readonly entryId: string
  readonly version: string
}): JSX.Element | null {
  const { entryId, version } = props
  const { value } = useRequest('vet.reports', { entryId })
  const [isOpen, setIsOpen] = useState(false)
  const report = value?.find(({ server }) => (server.version ?? '') === version)
  const others = useOtherReports(entryId, report)
  if (!report) return null
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-muted">
        Report of this version: {vetHeadline(report)}
        <button
          type="button"
          className="text-button bare underlined text-accent"
          onClick={() => setIsOpen(true)}
        >
          Show report
        </button>
      </p>
      {isOpen && (
        <ReportDialog
          title="Report"
          leave="Close"
          onClose={() => setIsOpen(false)}
          {...{ report, others }}
        />
      )}
    </>
  )
}
