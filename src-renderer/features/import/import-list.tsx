import type { JSX, KeyboardEvent } from 'react'
import { useRef } from 'react'

import type { FoundRow } from './found-rows'
import { ImportRow } from './import-row'
import { useFoundWindow } from './use-found-window'

/** Leads the keyboard into the list: to the row that is shown. */
export function enterRows(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('.found-row .check[tabindex="0"]')?.focus()
}

/** The servers that were found; only those in view are drawn. Arrows, Home, End and the page keys lead from one to another. */
export function ImportList(props: {
  readonly rows: readonly FoundRow[]
  readonly ticked: ReadonlySet<string>
  /** The row that is shown in full. */
  readonly current: string
  readonly onShow: (key: string) => void
  readonly onTick: (row: FoundRow, isTicked: boolean) => void
  /** Leads from a row to what is shown of it. */
  readonly onEnter: () => void
}): JSX.Element {
  const { rows, ticked, current, onShow, onTick, onEnter } = props
  const region = useRef<HTMLDivElement>(null)
  const { virtualizer, goTo, press } = useFoundWindow(region, rows, { onShow, onEnter })
  const items = virtualizer.getVirtualItems()
  const isDrawn = items.some(({ index }) => rows[index]?.key === current)
  return (
    <div
      ref={region}
      className="scroll"
      tabIndex={0}
      role="region"
      aria-label="Servers in your apps"
    >
      <ul
        className="anchor"
        aria-label="Found servers"
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={press}
        onFocus={({ target }) => {
          const row = rows[Number(target.dataset.index ?? Number.NaN)]
          if (row) onShow(row.key)
        }}
      >
        {items.map(({ index, start }, place) => {
          const row = rows[index]
          if (!row) return null
          return (
            <ImportRow
              key={row.key}
              {...{ row, index, onTick }}
              total={rows.length}
              isTicked={ticked.has(row.key)}
              isCurrent={isDrawn ? row.key === current : place === 0}
              top={start}
              onShow={goTo}
            />
          )
        })}
      </ul>
    </div>
  )
}
