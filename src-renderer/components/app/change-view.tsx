import { FileText } from 'lucide-react'
import type { JSX } from 'react'

import type { HostChangePreview } from '../../../src-shared/domain/agents/host'
import { useApp } from '../../stores/app-store'
import { DiffView } from '../../ui/diff/diff-view'
import { ProblemText } from '../../ui/fields/field'
import { Tag } from '../../ui/marks/tag'
import { visibleText } from '../../ui/text/untrusted-text'
import { shortPath } from './file-messages'

/** The preview of a change to a file: path, diff, notes and the reason if the change is impossible. */
export function ChangeView({
  preview,
}: {
  readonly preview: Omit<HostChangePreview, 'fileId' | 'seen' | 'entryNames'>
}): JSX.Element {
  const { realPath, isNew, diff, notes, obstacle } = preview
  const home = useApp(({ app }) => app?.info.homeDir)
  const path = shortPath(preview.path, home)
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap items-center gap-2 gap-y-1">
        <FileText className="icon icon-s" aria-hidden />
        <code>{path}</code>
        {isNew && <Tag>New file</Tag>}
      </p>
      {realPath !== undefined && (
        <p className="text-muted">
          The path is a symbolic link to <code>{shortPath(realPath, home)}</code>.
        </p>
      )}
      {obstacle !== undefined && <ProblemText>{visibleText(obstacle)}</ProblemText>}
      {diff.length > 0 && <DiffView diff={diff} label={`Changes of ${path}`} />}
      {diff.length === 0 && obstacle === undefined && (
        <p className="text-muted">The file doesn’t change.</p>
      )}
      {notes.length > 0 && (
        <ul className="marked grid gap-1 text-small text-muted" aria-label="To know">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
