import { type JSX, useState } from 'react'

import { type FoldedContext, MOST_FOLDED } from '../../../src-shared/domain/agents/tools'
import { LongText } from '../../components/json/long-text'
import { Loading } from '../../components/status/loading'
import { type Loaded, useRequest } from '../../ipc/use-request'
import { useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/segmented'
import { DiffView } from '../../ui/diff/diff-view'
import { Field } from '../../ui/fields/field'
import { CodeArea } from '../../ui/fields/text-input'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { counted, formatCount } from '../../ui/text/format'

const VIEWS = [
  { value: 'block', label: 'Context block' },
  { value: 'file', label: 'Instructions file' },
] as const

type View = (typeof VIEWS)[number]['value']

const COPIED = { block: 'Context block copied.', file: 'Text copied.' } as const

/** The block of text that tells an agent what the servers offer besides tools, alone or put into a user's own text. */
export function ContextDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [view, setView] = useState<View>('block')
  const [own, setOwn] = useState('')
  const state = [useToolsState()?.generation ?? 0]
  const fits = tooLongWords(own) === undefined
  const block = useRequest('tools.context', {}, { state })
  const { loaded: folded } = useRequest('tools.foldContext', { text: fits ? own : '' }, { state })
  const loaded = view === 'block' ? block.loaded : folded
  const isThere = loaded.kind === 'ready' && (view === 'block' || (own !== '' && fits))
  // What is copied; empty where there is nothing.
  const text = isThere ? loaded.value.text : ''
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Agent context"
      description="Lists servers, resources, and prompts for an agent. Paste the block into a file such as AGENTS.md. Text from servers is fenced and marked as data, not instructions."
      leave="Close"
      actions={
        <Button
          size="form"
          variant="primary"
          aria-disabled={text === '' || undefined}
          onClick={() => text !== '' && copyText(text, COPIED[view])}
        >
          {view === 'block' ? 'Copy' : 'Copy text'}
        </Button>
      }
    >
      <div className="mt-4 grid gap-3">
        <div>
          <Segmented label="What to copy" value={view} onValueChange={setView} options={VIEWS} />
        </div>
        {view === 'block' ? (
          <Loading
            request={block}
            label="Creating context block"
            failure="Can’t create the context block"
          >
            {({ text: written }) =>
              written === '' ? (
                <p>
                  The context block appears here when a running server lists resources or prompts.
                </p>
              ) : (
                <LongText text={written} label="Agent context" />
              )
            }
          </Loading>
        ) : (
          <ContextFile {...{ own, folded }} onOwnChange={setOwn} />
        )}
      </div>
    </Dialog>
  )
}

function ContextFile(props: {
  readonly own: string
  /** Of `own`, where that is not too long. */
  readonly folded: Loaded<FoldedContext>
  readonly onOwnChange: (own: string) => void
}): JSX.Element {
  const { own, folded, onOwnChange } = props
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
      <p className="text-foreground" role="status">
        {answer && foldedWords(own, answer)}
      </p>
      {answer && answer.diff.length > 0 && (
        <DiffView diff={answer.diff} label="Changes to your text" />
      )}
    </>
  )
}

/** What putting the block into a user's text did, as a sentence; `before` is the text that they gave. */
export function foldedWords(before: string, { text, replaced, isEmpty }: FoldedContext): string {
  if (isEmpty)
    return replaced === 0
      ? 'Your text is unchanged because there is no context block yet.'
      : `${counted(replaced, 'old block')} removed. Servers that are turned on list no resources or prompts.`
  if (replaced === 0) return 'The block is added at the end of your text.'
  if (text === before) return 'The block in your text is up to date.'
  return replaced === 1
    ? 'The old block is replaced.'
    : `${counted(replaced, 'old block')} replaced by one, at the place of the first.`
}

/** What is wrong with a text that is too long to take the block; undefined where it is not. */
export function tooLongWords(text: string): string | undefined {
  if (text.length <= MOST_FOLDED) return undefined
  return `The text has ${formatCount(text.length)} characters. The limit is ${formatCount(MOST_FOLDED)}. Paste only the part around the block.`
}
