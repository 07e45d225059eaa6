import type { JSX, KeyboardEvent, RefObject } from 'react'
import { useId, useRef } from 'react'

import type { JsonBrowser } from './json-browser'
import { JsonLine } from './json-row'
import { TreeKeys } from './tree-keys'
import { useLineWindow } from './use-windows'

type LinesProps = {
  readonly browser: JsonBrowser
  readonly label: string
  readonly region: RefObject<HTMLDivElement | null>
  /** A value whose line cuts it is to be shown whole. */
  readonly onShowAll: (row: number) => void
  readonly onCopy: () => void
}

function isCopying({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'c' && (ctrlKey || metaKey) && getSelection()?.isCollapsed !== false
}

/** The lines of a tree; only those in view are drawn. The tree has the focus, and names the line of the keyboard. */
export function JsonLines(props: LinesProps): JSX.Element {
  const { browser, label, region, onShowAll, onCopy } = props
  const id = useId()
  const keys = useRef<TreeKeys>(null)
  const { virtualizer, height, state, rowAt } = useLineWindow(region, browser)
  const { row, found } = state
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (isCopying(event)) {
      event.preventDefault()
      onCopy()
      return
    }
    const page = Math.max(1, Math.floor((region.current?.clientHeight ?? 0) / height) - 1)
    keys.current ??= new TreeKeys()
    const key = keys.current.keyOf(event, page, event.timeStamp)
    if (!key) return
    event.preventDefault()
    const at = rowAt(row)
    if (key.kind === 'toggle' && at?.isCut === true) onShowAll(row)
    else void browser.press(key)
  }
  return (
    <div
      ref={region}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={rowAt(row) ? `${id}-${row}` : undefined}
      className="json-tree well box pad-row bounded scroll"
      onKeyDown={press}
    >
      <div className="anchor" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <JsonLine
            key={index}
            id={`${id}-${index}`}
            index={index}
            top={start}
            height={height}
            row={rowAt(index)}
            isCurrent={index === row}
            wanted={found?.text ?? ''}
            onPress={(pressed) => void browser.toggle(pressed)}
            onShowAll={onShowAll}
          />
        ))}
      </div>
    </div>
  )
}
