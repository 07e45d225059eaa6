import type { MenuItemConstructorOptions } from 'electron'

import type { DesktopCommand, TrayEntry } from './desktop-state'

type Run = (command: DesktopCommand) => void

/**
 * The app menu. On macOS, copy and paste need the roles of an edit menu. Reload is omitted because it loses the page's state; developer
 * tools are in development builds only.
 */
export function appMenu(options: {
  readonly platform: string
  readonly isPackaged: boolean
  readonly run: Run
}): MenuItemConstructorOptions[] {
  const { platform, isPackaged, run } = options
  const isMac = platform === 'darwin'
  const item = (
    label: string,
    command: DesktopCommand,
    accelerator?: string,
  ): MenuItemConstructorOptions => ({
    label,
    click: () => run(command),
    ...(accelerator !== undefined && { accelerator }),
  })
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const settings = item('Settings…', { kind: 'open', place: '/settings' }, 'CommandOrControl+,')
  const appMenuOfMac: MenuItemConstructorOptions = {
    label: 'Patchbay',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
  const fileMenu: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [settings, separator, { role: 'close' }, { role: 'quit' }],
  }
  return [
    isMac ? appMenuOfMac : fileMenu,
    { role: 'editMenu' },
    {
      label: isMac ? 'View' : '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // The role's own accelerator needs Shift on a US keyboard.
        { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' },
        ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        item('Setup Guide', { kind: 'setUp' }),
        item('Copy Diagnostics…', { kind: 'open', place: '/settings?at=diagnostics' }),
        item('Show Log', { kind: 'showLog' }),
        item('Open Profile Folder', { kind: 'openProfile' }),
        ...(isMac ? [] : [separator, item('About Patchbay', { kind: 'about' })]),
      ],
    },
  ]
}

/** Electron's tray menu; except on macOS, `&` marks a shortcut letter. */
export function trayTemplate(
  entries: readonly TrayEntry[],
  platform: string,
  run: Run,
): MenuItemConstructorOptions[] {
  return entries.map((entry) => {
    if (entry.kind === 'separator') return { type: 'separator' }
    const { label, command, entries: below } = entry
    return {
      label: platform === 'darwin' ? label : label.replaceAll('&', '&&'),
      enabled: command !== undefined || below !== undefined,
      ...(command && { click: () => run(command) }),
      ...(below && { submenu: trayTemplate(below, platform, run) }),
    }
  })
}

/** The context menu for the clicked element; Electron has none. */
export function contextMenu(clicked: {
  readonly isEditable: boolean
  readonly selectionText: string
  readonly editFlags: Readonly<Record<'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll', boolean>>
}): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, editFlags } = clicked
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags
  if (isEditable) {
    return [
      { role: 'cut', enabled: canCut },
      { role: 'copy', enabled: canCopy },
      { role: 'paste', enabled: canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: canSelectAll },
    ]
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: canCopy }]
}
