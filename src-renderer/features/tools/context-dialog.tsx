import type { JSX } from 'react'
import { useState } from 'react'

import type { AgentContext } from '../../../src-shared/domain/agents/tools'
import type { Loaded } from '../../ipc/use-request'
import { useRequest } from '../../ipc/use-request'
import { useToolsState } from '../../stores/tools-store'
import { Button } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/segmented'
import { ProblemState } from '../../ui/layout/problem-state'
import { Skeleton } from '../../ui/layout/skeleton'
import { Dialog } from '../../ui/overlays/dialog'
import { copyText } from '../../ui/saving/copy-text'
import { visibleText } from '../../ui/text/visible-text'
import { ContextFile } from './context-file'
import { tooLongWords } from './context-messages'

const VIEWS = [
  { value: 'block', label: 'Context block' },
  { value: 'file', label: 'Instructions file' },
] as const

type View = (typeof VIEWS)[number]['value']

const COPIED = { block: 'Context block copied.', file: 'Text copied.' } as const

function Block({
  loaded,
  retry,
}: {
  readonly loaded: Loaded<AgentContext>
  readonly retry: () => void
}): JSX.Element {
  if (loaded.kind === 'loading') return <Skeleton label="Creating context block" rows={4} />
  if (loaded.kind === 'failed')
    return (
      <ProblemState
        title="Can’t create the context block"
        problem={loaded.problem}
        onRetry={retry}
      />
    )
  const { text } = loaded.value
  if (text === '')
    return <p>The context block appears here when a running server lists resources or prompts.</p>
  return (
    <pre
      className="well box pad-row scroll source"
      tabIndex={0}
      role="region"
      aria-label="Agent context"
    >
      {visibleText(text)}
    </pre>
  )
}

/** What main says of the block and of a person's text; `text` is what `view` has to be copied, empty where there is nothing. */
function useAgentContext(view: View, own: string) {
  const state = [useToolsState()?.generation ?? 0]
  const fits = tooLongWords(own) === undefined
  const block = useRequest('tools.context', {}, { state })
  const folded = useRequest('tools.foldContext', { text: fits ? own : '' }, { state })
  const { loaded } = view === 'block' ? block : folded
  const isThere = loaded.kind === 'ready' && (view === 'block' || (own !== '' && fits))
  return { block, folded: folded.loaded, text: isThere ? loaded.value.text : '' }
}

/** The block of text that tells an agent what the servers offer besides tools, alone or put into a person's own text. */
export function ContextDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [view, setView] = useState<View>('block')
  const [own, setOwn] = useState('')
  const { block, folded, text } = useAgentContext(view, own)
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
      <div className="stack gap-3 above-4">
        <div>
          <Segmented label="What to copy" value={view} onValueChange={setView} options={VIEWS} />
        </div>
        {view === 'block' ? (
          <Block {...block} />
        ) : (
          <ContextFile {...{ own, folded }} onOwnChange={setOwn} />
        )}
      </div>
    </Dialog>
  )
}
