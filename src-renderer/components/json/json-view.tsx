import './json.css'

import { Download } from 'lucide-react'
import { type JSX, type ReactNode, useMemo, useState } from 'react'

import { toErrorShape } from '../../ipc/call'
import { Button, IconButton } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { Banner, Skeleton } from '../../ui/layout/page'
import { fileName, saveText } from '../../ui/saving/save-text'
import { formatBytes, formatCount, problemText } from '../../ui/text/format'
import { nodeAt, prettyText, readNodes } from './json-nodes'
import { JsonTree } from './json-tree'
import { LongText, MAX_TEXT_LENGTH } from './long-text'
import { MAX_SHOWN, saveSource, type TextSource, useText } from './text-source'

/** Maximum length of a text shown as a tree, in UTF-16 units. */
const MAX_TREE_LENGTH = 1024 * 1024

function PartText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  return (
    <>
      <LongText text={text.slice(0, MAX_TEXT_LENGTH)} label={label} />
      {text.length > MAX_TEXT_LENGTH && (
        <p className="text-small text-muted">
          Showing the first {formatCount(MAX_TEXT_LENGTH)} characters. Save to a file to see
          everything.
        </p>
      )}
    </>
  )
}

const SHAPES = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
] as const

/** A JSON text of up to 1 MB as a tree or pretty-printed. A longer or invalid text is shown as text. */
export function JsonView(props: {
  readonly text: string
  readonly label: string
  /** Shows only the value at this JSON pointer (RFC 6901). */
  readonly pointer?: string
  /** Whether to show a save button; the surrounding page may have one. */
  readonly isSavable?: boolean
}): JSX.Element {
  const { text, label, pointer = '', isSavable = true } = props
  const [shape, setShape] = useState<'tree' | 'text'>('tree')
  const isLong = text.length > MAX_TREE_LENGTH
  const whole = useMemo(() => (isLong ? undefined : readNodes(text)), [text, isLong])
  const root = whole && nodeAt(whole, pointer)
  if (whole && root === undefined) return <p className="text-small text-muted">Empty</p>
  const save = (): void => {
    const saved = root && pointer !== '' ? prettyText(root, Infinity) : text
    saveText(fileName(label, Date.now(), whole || isLong ? 'json' : 'txt'), saved)
  }
  if (root === undefined)
    return (
      <div className="grid min-w-0 gap-2">
        <p className="text-small text-muted">
          {isLong
            ? `${formatBytes(text.length)} is too large for a tree, shown as text.`
            : 'Invalid JSON, shown as text.'}
        </p>
        <PartText text={text} label={label} />
        {isSavable && (
          <div>
            <Button size="small" icon={Download} onClick={save}>
              Save to file
            </Button>
          </div>
        )}
      </div>
    )
  const tools = (
    <>
      <span className="min-w-0 flex-1" />
      <Segmented
        label={`View of ${label}`}
        value={shape}
        onValueChange={setShape}
        options={SHAPES}
      />
      {isSavable && <IconButton small icon={Download} label="Save to file" onClick={save} />}
    </>
  )
  return (
    <div className="grid min-w-0 gap-2">
      {shape === 'tree' ? (
        <JsonTree key={`${pointer} ${text.length}`} {...{ root, label, tools }} />
      ) : (
        <>
          <div className="json-tools flex flex-wrap items-center gap-1">{tools}</div>
          <PartText text={prettyText(root, MAX_TEXT_LENGTH + 1)} label={label} />
        </>
      )}
    </div>
  )
}

/** Loads a text from its source and passes it to `children`. */
export function WithText(props: {
  readonly source: TextSource
  readonly label: string
  readonly children: (text: string) => ReactNode
}): ReactNode {
  const { source, label, children } = props
  const { data, error, refetch } = useText(source)
  if (source.length > MAX_SHOWN)
    return (
      <Banner
        severity="info"
        action={
          <Button size="small" onClick={() => saveSource(label, 'txt', source)}>
            Save to file
          </Button>
        }
      >
        This text is too large to show ({formatBytes(source.length)}). Save it to a file.
      </Banner>
    )
  if (data !== undefined) return children(data)
  if (!error) return <Skeleton label={`Loading ${label}`} rows={3} />
  const problem = toErrorShape(error)
  return (
    <Banner
      severity="error"
      topic={problem.code}
      action={
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      }
    >
      {problemText(problem)}
    </Banner>
  )
}
