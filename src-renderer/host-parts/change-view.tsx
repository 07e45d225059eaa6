import { FileText } from 'lucide-react'
import type { JSX } from 'react'

import type { HostChangePreview } from '../../src-shared/domain/agents/host'
import { DiffView } from '../ui/diff/diff-view'
import { ProblemText } from '../ui/fields/problem-text'
import { Tag } from '../ui/marks/tag'
import { visibleText } from '../ui/text/visible-text'

/** What a change would make of a file: where that is, what changes in it, what to know, and why it cannot be made. */
export function ChangeView({
  preview,
}: {
  readonly preview: Omit<HostChangePreview, 'fileId' | 'seen' | 'entryNames'>
}): JSX.Element {
  const { realPath, isNew, diff, notes, obstacle } = preview
  const path = visibleText(preview.path)
  return (
    <div className="stack gap-2 slim">
      <p className="row wrap gap-2 rows-1">
        <FileText className="icon icon-s" aria-hidden />
        <code>{path}</code>
        {isNew && <Tag>New file</Tag>}
      </p>
      {realPath !== undefined && (
        <p className="soft">
          It is a link: <code>{visibleText(realPath)}</code> is written.
        </p>
      )}
      {obstacle !== undefined && <ProblemText>{visibleText(obstacle)}</ProblemText>}
      {diff.length > 0 && <DiffView diff={diff} label={`Changes of ${path}`} />}
      {diff.length === 0 && obstacle === undefined && (
        <p className="soft">Nothing in the file changes: it is as it should be.</p>
      )}
      {notes.length > 0 && (
        <ul className="marked stack gap-1 soft small" aria-label="To know">
          {notes.map((note) => (
            <li key={note}>{visibleText(note)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
