import { app, shell } from 'electron'

import type { Patchbay } from '../patchbay/open-patchbay'
import type { DesktopCommand } from './desktop-state'
import type { MainWindow } from './main-window'

/** Runs the commands of menus, the tray and notifications; one that fails is in the log. */
export function commandsOf(options: {
  readonly handlers: Patchbay['handlers']
  readonly window: MainWindow
  readonly profileDir: string
  readonly showLog: () => void
}): (command: DesktopCommand) => void {
  const { handlers, window, profileDir, showLog } = options
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work()
    } catch (error) {
      process.stderr.write(`patchbay: a command of a menu failed: ${String(error)}\n`)
    }
  }
  return (command) => {
    switch (command.kind) {
      case 'open':
        window.show(command.place)
        return
      case 'start':
      case 'stop':
      case 'restart': {
        const { kind, installationId } = command
        void attempt(() => handlers[`server.${kind}`]({ installationId }))
        return
      }
      case 'setUp':
        void attempt(() => handlers['settings.update']({ setup: 'open' }))
        window.show('/')
        return
      case 'about':
        app.showAboutPanel()
        return
      case 'openProfile':
        void attempt(() => shell.openPath(profileDir))
        return
      case 'showLog':
        showLog()
        return
      case 'quit':
        app.quit()
    }
  }
}
