import type { ReactElement } from 'react'
import { useMemo, useState } from 'react'

import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'
import { visibleText } from '../../../ui/text/visible-text'

/** Characters that are shown; more can be copied. */
const MOST = 100_000

function prettyOf(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2)
  } catch (error) {
    if (error instanceof SyntaxError) return raw
    throw error
  }
}

function Text({ raw }: { readonly raw: string }): ReactElement {
  const text = useMemo(() => prettyOf(raw), [raw])
  const shown = visibleText(text.slice(0, MOST))
  return (
    <>
      <pre
        className="well box pad-row scroll source above-2 below-2"
        tabIndex={0}
        aria-label="Registry entry as JSON"
      >
        {text.length > MOST ? `${shown}\n…` : shown}
      </pre>
      <Button
        size="small"
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => showToast({ message: 'Entry copied.' }),
            () =>
              showToast({
                message: 'Can’t use the clipboard. Select the text and copy it.',
                tone: 'error',
              }),
          )
        }}
      >
        Copy
      </Button>
    </>
  )
}

/** The registry's own document, as it came. */
export function RawDocument({ raw }: { readonly raw: string }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="raw" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="soft">Registry entry as JSON</summary>
      {isOpen ? <Text raw={raw} /> : null}
    </details>
  )
}
