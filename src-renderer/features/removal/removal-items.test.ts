import { describe, expect, it } from 'vitest'

import type { RemovalItem } from '../../../src-shared/domain/state/removal'
import { consequenceText, outcomeText, remainingText, removalGroups } from './removal-items'

function itemOf(kind: RemovalItem['kind'], label: string, size?: number): RemovalItem {
  return { itemId: label, kind, label, place: `/${label}`, ...(size !== undefined && { size }) }
}

describe('D6: messages on removing everything', () => {
  const items = [
    itemOf('file', 'Settings', 10),
    itemOf('hostEntry', 'Entry of Cursor'),
    itemOf('folder', 'Logs', 2_000),
    itemOf('secret', 'Key of Anna'),
    itemOf('secret', 'Key of Bert'),
  ]

  it('group items of one kind with the sum of their sizes', () => {
    const groups = removalGroups({ items })
    expect(groups.map(({ title, size, items: { length } }) => [title, size, length])).toEqual([
      ['App configuration files', undefined, 1],
      ['Keychain', undefined, 2],
      ['Files and folders', 2_010, 2],
    ])
    expect(removalGroups({ items: [] })).toEqual([])
  })

  it('name what will be lost', () => {
    expect(consequenceText({ items })).toBe(
      'Stops all servers and disconnects all agents. Removes 1 app configuration entry, 2 secrets, and 2 files and folders. You can’t undo this.',
    )
    expect(consequenceText({ items: items.slice(3, 5) })).toContain('Removes 2 secrets.')
    expect(consequenceText({ items: [] })).not.toContain('Removes')
  })

  it('list remaining items first', () => {
    const left = [
      { label: 'Entry of Cursor', place: '/mcp.json', reason: 'The file is read-only.' },
    ]
    expect(outcomeText({ removed: ['Logs'], left })).toBe(
      'Remaining: Entry of Cursor\n  /mcp.json\n  The file is read-only.\nRemoved: Logs\n',
    )
    expect([remainingText(1), remainingText(3)]).toEqual(['1 item remains', '3 items remain'])
  })
})
