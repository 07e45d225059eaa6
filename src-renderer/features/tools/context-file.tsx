import type { JSX } from 'react'

import type { FoldedContext } from '../../../src-shared/domain/agents/tools'
import type { Loaded } from '../../ipc/use-request'
import { DiffView } from '../../ui/diff/diff-view'
import { CodeArea } from '../../ui/fields/code-area'
import { Field } from '../../ui/fields/field'
import { foldedWords, tooLongWords } from './context-messages'

/** A person's own text and what putting the block into it changes. */
export function ContextFile({
  own,
  folded,
  onOwnChange,
}: {
  readonly own: string
  /** Of `own`, where that is not too long. */
  readonly folded: Loaded<FoldedContext>
  readonly onOwnChange: (own: string) => void
}): JSX.Element {
  const tooLong = tooLongWords(own)
  const answered = own !== '' && tooLong === undefined ? folded : undefined
  const answer = answered?.kind === 'ready' ? answered.value : undefined
  const failed = answered?.kind === 'failed' ? answered.problem.message : undefined
  return (
    <>
      <Field
        id="context-own"
        label="Your instructions file"
        hint="Paste all of AGENTS.md or CLAUDE.md. Patchbay doesn’t change the file, so copy the result back."
        problem={tooLong ?? failed}
      >
        {(ids) => <CodeArea {...ids} rows={6} value={own} onValueChange={onOwnChange} />}
      </Field>
      <p className="ink" role="status">
        {answer && foldedWords(own, answer)}
      </p>
      {answer && answer.diff.length > 0 && (
        <DiffView diff={answer.diff} label="Changes to your text" />
      )}
    </>
  )
}
