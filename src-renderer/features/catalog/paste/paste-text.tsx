import { type ReactElement, useRef } from 'react'

import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { TextProblem } from '../../../../src-shared/domain/installation/configuration'
import { Field } from '../../../ui/fields/field'
import { ProblemText } from '../../../ui/fields/problem-text'
import { CodeArea } from '../../../ui/fields/text-input'

/** Offset of a place in a text; both are counted from 1. */
function offsetOf(text: string, { line, column }: TextProblem): number {
  const lines = text.split('\n').slice(0, line - 1)
  return lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1
}

function BrokenPlaces(props: {
  readonly problems: readonly TextProblem[]
  readonly onChoose: (problem: TextProblem) => void
}): ReactElement | null {
  const { problems, onChoose } = props
  if (problems.length === 0) return null
  return (
    <ul className="stack gap-1 above-1 soft small" role="alert" aria-label="Errors in the text">
      {problems.map((problem, index) => (
        <li key={index}>
          <button
            type="button"
            className="text-button accent bare underlined"
            onClick={() => onChoose(problem)}
          >
            Line {problem.line}, column {problem.column}
          </button>
          : {problem.message}
        </li>
      ))}
    </ul>
  )
}

/** The text with what is wrong in it; a mistake leads to its place. */
export function PasteText(props: {
  readonly text: string
  readonly broken: readonly TextProblem[]
  readonly problem: AppErrorShape | null
  readonly change: (text: string) => void
}): ReactElement {
  const { text, broken, problem, change } = props
  const area = useRef<HTMLTextAreaElement>(null)
  function goTo(place: TextProblem): void {
    const at = offsetOf(text, place)
    area.current?.focus()
    area.current?.setSelectionRange(at, Math.min(text.length, at + 1))
  }
  const isBroken = broken.length > 0
  return (
    <>
      <Field
        id="configuration"
        label="Configuration"
        hint="Paste a configuration, a server.json, an install link of any app, a command, or an address."
        problem={problem?.message}
      >
        {(ids) => (
          <CodeArea
            {...ids}
            ref={area}
            aria-invalid={isBroken || problem !== null || undefined}
            autoFocus
            rows={12}
            placeholder={
              '{\n  "mcpServers": {\n    "notes": { "command": "npx", "args": ["-y", "notes-mcp"] }\n  }\n}'
            }
            value={text}
            onValueChange={change}
          />
        )}
      </Field>
      {problem?.hint === undefined ? null : <p>{problem.hint}</p>}
      {isBroken ? (
        <div>
          <ProblemText alert={false}>Invalid JSON.</ProblemText>
          <BrokenPlaces problems={broken} onChoose={goTo} />
        </div>
      ) : null}
    </>
  )
}
