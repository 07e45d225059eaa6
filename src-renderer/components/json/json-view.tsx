import './json.css'

import type { JSX } from 'react'

import { Button } from '../../ui/controls/button'
import { Banner } from '../../ui/layout/banner'
import { Skeleton } from '../../ui/layout/skeleton'
import { formatBytes } from '../../ui/text/format'
import { problemWords } from '../../ui/text/problem-messages'
import { JsonPanel, PartText, type Shown } from './json-panel'
import { saveSource } from './text/save-source'
import { readAgain, useDocument } from './text/text-document'
import type { TextSource } from './text/text-source'
import { useBrowser } from './use-browser'

function SaveButton({
  source,
  label,
}: {
  readonly source: TextSource
  readonly label: string
}): JSX.Element {
  return (
    <Button size="small" onClick={() => saveSource(label, 'txt', source)}>
      Save to file
    </Button>
  )
}

function Tree(shown: Shown): JSX.Element {
  const { remote, textKey, pointer, label } = shown
  const browser = useBrowser(remote, textKey, pointer)
  if (browser === 'coming') return <Skeleton label={`Loading ${label}`} rows={3} />
  if (browser === 'nothing') return <p className="soft small">Empty</p>
  return <JsonPanel {...shown} browser={browser} />
}

/**
 * JSON as a tree of any size: parsed on a worker, drawn as far as it is in view. `pointer` shows only the part at this
 * JSON pointer (RFC 6901). A text that is no JSON is shown as text.
 */
export function JsonView({
  source,
  label,
  pointer = '',
  isSavable = true,
}: {
  readonly source: TextSource
  readonly label: string
  readonly pointer?: string
  /** Whether it has its own button that saves it; what stands around it may have one. */
  readonly isSavable?: boolean
}): JSX.Element {
  const document = useDocument(source)
  switch (document.kind) {
    case 'reading':
      return <Skeleton label={`Loading ${label}`} rows={3} />
    case 'tooLong':
      return (
        <Banner severity="info" action={<SaveButton source={source} label={label} />}>
          This text is too large to show ({formatBytes(source.length)}). Save it to a file.
        </Banner>
      )
    case 'failed':
      return (
        <Banner
          severity="error"
          topic={document.problem.code}
          action={
            <Button size="small" onClick={() => readAgain(source)}>
              Try again
            </Button>
          }
        >
          {problemWords(document.problem)}
        </Banner>
      )
    case 'ready': {
      const { facts, remote } = document
      const shown = { remote, textKey: source.key, pointer, label, isSavable }
      if (facts.kind === 'json') return <Tree {...shown} />
      return (
        <div className="stack gap-2 slim">
          <p className="soft small">
            {facts.why === 'noJson'
              ? 'Invalid JSON, shown as text.'
              : 'Too many values for a tree, shown as text.'}
          </p>
          <PartText {...shown} />
          {isSavable && <SaveButton source={source} label={label} />}
        </div>
      )
    }
  }
}
