import { ShieldCheck } from 'lucide-react'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'

import { ReviewList, useCommitKey } from '../../components/configuration/review/review-list'
import { CATALOG_CRUMBS } from '../../frame/loaded-page'
import { useAction } from '../../ipc/use-request'
import { Button } from '../../ui/controls/button'
import { withMember } from '../../ui/controls/members'
import { keepFocus, Page } from '../../ui/layout/page'
import { ActionBar } from '../../ui/layout/section'
import { counted } from '../../ui/text/format'
import { hostNames } from './import-rows'
import { changedFiles, type Import, type Selection } from './use-import'

/** Title of the import page, and the link back. */
export const HEAD = {
  title: 'Import from your apps',
  crumbs: CATALOG_CRUMBS,
} as const

const CRUMBS = [...HEAD.crumbs, { label: HEAD.title, href: '/import' }] as const

/** The full commands of the servers to import, and one approval for the selected ones. */
export function ImportReview(props: {
  readonly importing: Import
  readonly selection: Selection
  readonly children: ReactNode
}): ReactElement {
  const { importing, selection, children } = props
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const included = selection.ticked.filter(({ key }) => !skipped.has(key))
  const { run, busyWith, problem } = useAction((approves: boolean) =>
    importing.add(included, approves),
  )
  const add = (approves: boolean): void => {
    if (included.length > 0) run(approves)
  }
  const servers = counted(included.length, 'server')
  const files = changedFiles(importing).length
  useEffect(keepFocus, [])
  useCommitKey(() => add(true))
  return (
    <Page
      title={`Approve ${servers}`}
      crumbs={CRUMBS}
      foot={
        <ActionBar label="Consent" problem={problem}>
          <ShieldCheck className="icon text-muted" aria-hidden />
          <p className="min-w-0 flex-1 text-pretty text-muted">
            <b className="block text-foreground">
              Patchbay will run exactly these commands with your user permissions.
            </b>
            {files > 0
              ? `${counted(files, 'app file')} will also change.`
              : 'A changed command needs your approval again.'}
          </p>
          <Button size="form" onClick={importing.back}>
            Back
          </Button>
          <Button size="form" busy={busyWith === false} onClick={() => add(false)}>
            Add without approval
          </Button>
          <Button
            size="form"
            variant="primary"
            busy={busyWith === true}
            aria-disabled={included.length === 0 || undefined}
            aria-keyshortcuts="Control+Enter"
            onClick={() => add(true)}
          >
            {`Approve ${servers}`}
          </Button>
        </ActionBar>
      }
    >
      <ReviewList
        candidates={selection.ticked.map((row) => ({
          key: row.key,
          from: hostNames(row),
          server: row.entry.server,
        }))}
        isIncluded={({ key }) => !skipped.has(key)}
        onInclude={({ key }, isIncluded) =>
          setSkipped(new Set(withMember(skipped, key, !isIncluded)))
        }
        onAdjust={({ key }, change) => importing.adjust(key, change)}
      />
      {children}
    </Page>
  )
}
