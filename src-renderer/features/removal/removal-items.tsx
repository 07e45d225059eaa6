import type { ComponentProps, JSX } from 'react'

import type {
  RemovalItem,
  RemovalList,
  RemovalOutcome,
} from '../../../src-shared/domain/state/removal'
import { counted, formatBytes, formatList } from '../../ui/text/format'
import { visibleText } from '../../ui/text/untrusted-text'

/** Items to remove, remaining or removed, under a heading with their number. */
export function RemovalItems(props: {
  readonly title: string
  /** Bytes on disk. */
  readonly size?: number | undefined
  readonly items: readonly {
    readonly label: string
    readonly place?: string
    readonly reason?: string
    readonly size?: number | undefined
  }[]
}): JSX.Element {
  const { title, size, items } = props
  return (
    <section aria-label={title}>
      <h2 className="mb-1 flex gap-2">
        {title} <span className="font-normal text-faint tabular-nums">{items.length}</span>
        {size !== undefined && (
          <span className="font-normal text-faint tabular-nums">{formatBytes(size)}</span>
        )}
      </h2>
      <ul className="divide-y divide-line wrap-anywhere *:py-2">
        {items.map(({ label, place, reason, size: bytes }, index) => (
          <li key={`${index} ${label}`} className="flex flex-wrap justify-between gap-4 gap-y-0">
            {place === undefined && reason === undefined ? (
              visibleText(label)
            ) : (
              <b>{visibleText(label)}</b>
            )}
            {bytes !== undefined && (
              <span className="text-faint tabular-nums">{formatBytes(bytes)}</span>
            )}
            {place !== undefined && <code className="w-full text-muted">{visibleText(place)}</code>}
            {reason !== undefined && (
              <p className="w-full text-small text-muted">{visibleText(reason)}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const GROUPS: Readonly<Record<string, readonly RemovalItem['kind'][]>> = {
  'App configuration files': ['hostEntry'],
  Keychain: ['secret'],
  'Files and folders': ['file', 'folder'],
  'Start at login': ['login'],
}

/** Groups the items to remove by kind, without empty kinds. */
export function removalGroups({
  items,
}: Pick<RemovalList, 'items'>): ComponentProps<typeof RemovalItems>[] {
  return Object.entries(GROUPS).flatMap(([title, kinds]) => {
    const matching = items.filter(({ kind }) => kinds.includes(kind))
    if (matching.length === 0) return []
    const sizes = matching.flatMap(({ size }) => (size === undefined ? [] : [size]))
    const size = sizes.length === 0 ? undefined : sizes.reduce((sum, one) => sum + one, 0)
    return [{ title, size, items: matching }]
  })
}

/** Returns the confirmation's text on what will be lost. */
export function consequenceText({ items }: Pick<RemovalList, 'items'>): string {
  const count = (...kinds: RemovalItem['kind'][]): number =>
    items.filter(({ kind }) => kinds.includes(kind)).length
  const part = (total: number, singular: string, plural: string): string[] =>
    total === 0 ? [] : [counted(total, singular, plural)]
  const parts = [
    ...part(count('hostEntry'), 'app configuration entry', 'app configuration entries'),
    ...part(count('secret'), 'secret', 'secrets'),
    ...part(count('file', 'folder'), 'file or folder', 'files and folders'),
  ]
  const what = parts.length === 0 ? '' : ` Removes ${formatList(parts)}.`
  return `Stops all servers and disconnects all agents.${what} You can’t undo this.`
}

/** Returns the result as text for the clipboard. */
export function outcomeText({ removed, left }: RemovalOutcome): string {
  const lines = [
    ...left.flatMap(({ label, place, reason }) => [
      `Remaining: ${label}`,
      `  ${place}`,
      `  ${reason}`,
    ]),
    ...removed.map((label) => `Removed: ${label}`),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns `1 item remains` or `2 items remain`. */
export function remainingText(count: number): string {
  return counted(count, 'item remains', 'items remain')
}
