import { app, shell } from 'electron'

import { background } from '../core/lifecycle/background'
import type { Patchbay } from '../patchbay/open-patchbay'
import type { DesktopCommand } from './desktop-state'
import type { MainWindow } from './main-window'

/** Runs the commands of menus, tray and notifications; logs a failure. */
export function commandsOf(options: {
  readonly handlers: Patchbay['handlers']
  readonly window: MainWindow
  readonly profileDir: string
  readonly showLog: () => void
}): (command: DesktopCommand) => void {
  const { handlers, window, profileDir, showLog } = options
  const attempt = (work: () => Promise<unknown>): void =>
    background(work(), 'a command of a menu failed')
  return (command) => {
    switch (command.kind) {
      case 'open':
        window.show(command.place)
        return
      case 'start':
      case 'stop':
      case 'restart': {
        const { kind, installationId } = command
        attempt(async () => handlers[`server.${kind}`]({ installationId }))
        return
      }
      case 'setUp':
        attempt(async () => handlers['settings.update']({ setup: 'open' }))
        window.show('/')
        return
      case 'about':
        app.showAboutPanel()
        return
      case 'openProfile':
        attempt(() => shell.openPath(profileDir))
        return
      case 'showLog':
        showLog()
        return
      case 'quit':
        app.quit()
    }
  }
}
