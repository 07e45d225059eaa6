import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'

import type { DesktopCommand } from './desktop-state'
import { appMenu, contextMenu, trayTemplate } from './menus'

const itemsOf = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])])
const ALL = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true }

describe('D8: the app menu', () => {
  it.each(['darwin', 'win32', 'linux'])(
    "doesn't reload on %s, and copies and pastes",
    (platform) => {
      const packaged = itemsOf(appMenu({ platform, isPackaged: true, run: () => undefined }))
      const roles = packaged.map(({ role }) => role)
      for (const role of ['reload', 'forceReload', 'toggleDevTools'] as const)
        expect(roles).not.toContain(role)
      expect(roles).toEqual(expect.arrayContaining(['editMenu', 'windowMenu', 'help', 'quit']))
      const accelerators = packaged.map(({ accelerator }) => accelerator)
      expect(accelerators).toEqual(
        expect.arrayContaining(['CommandOrControl+,', 'CommandOrControl+=']),
      )
      const inDevelopment = itemsOf(appMenu({ platform, isPackaged: false, run: () => undefined }))
      expect(inDevelopment.map(({ role }) => role)).toContain('toggleDevTools')
    },
  )

  it('runs its commands', () => {
    const ran: DesktopCommand[] = []
    const run = (command: DesktopCommand): void => void ran.push(command)
    for (const { click } of itemsOf(appMenu({ platform: 'linux', isPackaged: true, run })))
      (click as (() => void) | undefined)?.()
    expect(ran.map(({ kind }) => kind)).toEqual([
      'open',
      'setUp',
      'open',
      'showLog',
      'openProfile',
      'about',
    ])
  })
})

describe('D8: the tray menu', () => {
  it('shows names unchanged, and disables items without an action', () => {
    const entries = [{ kind: 'item', label: 'R&D: Ready' }, { kind: 'separator' }] as const
    const run = (): void => undefined
    expect(trayTemplate(entries, 'linux', run)).toEqual([
      { label: 'R&&D: Ready', enabled: false },
      { type: 'separator' },
    ])
    expect(trayTemplate(entries, 'darwin', run)[0]?.label).toBe('R&D: Ready')
  })
})

describe('D8: the context menu', () => {
  it('edits a field, copies a selection, and is absent elsewhere', () => {
    const rolesOf = (isEditable: boolean, selectionText: string): unknown =>
      contextMenu({ isEditable, selectionText, editFlags: ALL }).map(({ role }) => role)
    expect(rolesOf(true, '')).toEqual(['cut', 'copy', 'paste', undefined, 'selectAll'])
    expect(rolesOf(false, 'text')).toEqual(['copy'])
    expect(rolesOf(false, ' ')).toEqual([])
  })
})
