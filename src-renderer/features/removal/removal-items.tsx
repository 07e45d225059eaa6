import type { JSX } from 'react'

import { formatBytes } from '../../ui/text/format'
import { visibleText } from '../../ui/text/visible-text'

/** What is removed, stays or was removed, under its heading with the number of it. */
export function RemovalItems({
  title,
  size,
  items,
}: {
  readonly title: string
  /** Bytes on the disk. */
  readonly size?: number | undefined
  readonly items: readonly {
    readonly label: string
    readonly place?: string
    readonly reason?: string
    readonly size?: number | undefined
  }[]
}): JSX.Element {
  return (
    <section aria-label={title}>
      <h2 className="flex gap-2 below-1">
        {title} <span className="faint num regular">{items.length}</span>
        {size !== undefined && <span className="faint num regular">{formatBytes(size)}</span>}
      </h2>
      <ul className="divided roomy break">
        {items.map(({ label, place, reason, size: bytes }, index) => (
          <li key={`${index} ${label}`} className="flex wrap spread gap-4 rows-0">
            {place === undefined && reason === undefined ? (
              visibleText(label)
            ) : (
              <b>{visibleText(label)}</b>
            )}
            {bytes !== undefined && <span className="faint num">{formatBytes(bytes)}</span>}
            {place !== undefined && <code className="whole soft">{visibleText(place)}</code>}
            {reason !== undefined && <p className="whole soft small">{visibleText(reason)}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
