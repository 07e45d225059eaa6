import type { RJSFSchema } from '@rjsf/utils'
import type { ReactElement } from 'react'

import { visibleText } from '../../../ui/text/visible-text'

const MOST = 3
const LONGEST = 60

/** The examples of a schema, each to fill it in with one press. */
export function ExampleButtons({
  schema,
  onChoose,
}: {
  readonly schema: RJSFSchema
  readonly onChoose: (value: unknown) => void
}): ReactElement | null {
  const examples: unknown = schema.examples
  if (!Array.isArray(examples) || examples.length === 0) return null
  return (
    <div className="row wrap gap-2 rows-1 faint small">
      <span>{examples.length === 1 ? 'Example:' : 'Examples:'}</span>
      {(examples as unknown[]).slice(0, MOST).map((example, index) => {
        const text = typeof example === 'string' ? example : JSON.stringify(example)
        const shown = visibleText(text)
        return (
          <button
            key={index}
            type="button"
            className="text-button accent box subtle mono break"
            aria-label={`Fill in ${shown.slice(0, LONGEST)}`}
            onClick={() => onChoose(structuredClone(example))}
          >
            {shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown}
          </button>
        )
      })}
    </div>
  )
}
