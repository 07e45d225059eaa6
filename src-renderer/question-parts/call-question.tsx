import type { ReactElement } from 'react'

import { Button } from '../ui/controls/button'
import { Tag } from '../ui/marks/tag'
import { visibleText, writtenOut } from '../ui/text/visible-text'
import { QuestionFrame } from './question-frame'
import type { QuestionOf } from './question-of'
import type { Answering } from './use-answering'
import { useAnswering } from './use-answering'

function Scopes({ isResting, send }: Answering): ReactElement {
  return (
    <>
      <Button size="form" disabled={isResting} onClick={() => send({ kind: 'deny' })}>
        Deny
      </Button>
      <span className="grow" />
      <Button
        size="form"
        disabled={isResting}
        onClick={() => send({ kind: 'allow', scope: 'always' })}
      >
        Always allow
      </Button>
      <Button
        size="form"
        disabled={isResting}
        onClick={() => send({ kind: 'allow', scope: 'session' })}
      >
        Allow for this session
      </Button>
      <Button
        size="form"
        variant="primary"
        disabled={isResting}
        onClick={() => send({ kind: 'allow', scope: 'once' })}
      >
        Allow once
      </Button>
    </>
  )
}

/** A call that an agent wants to make, with what it passes. */
export function CallQuestion({
  question,
}: {
  readonly question: QuestionOf<'call'>
}): ReactElement {
  const answering = useAnswering(question)
  const { tool, title, isDestructive, isCut } = question.body
  return (
    <QuestionFrame
      question={question}
      answering={answering}
      wide
      said={<p>It waits for your yes to this call.</p>}
      actions={<Scopes {...answering} />}
    >
      <div className="stack gap-3 above-4">
        <p className="row at-base wrap gap-2 rows-1">
          <code className="ink">{writtenOut(tool)}</code>
          {title !== undefined && <span>{visibleText(title)}</span>}
          {isDestructive && <Tag tone="warn">May delete or overwrite</Tag>}
        </p>
        <pre
          className="bounded well box pad-row source small mono scroll"
          tabIndex={0}
          role="region"
          aria-label="Arguments"
        >
          {writtenOut(question.body.arguments)}
        </pre>
        {isCut && <p className="small">The arguments are longer than what is shown here.</p>}
        <p className="small">
          For this session: all calls of this tool until Patchbay ends. Always: for good, until you
          take it back with the agent.
        </p>
      </div>
    </QuestionFrame>
  )
}
