import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { app, powerMonitor, shell } from 'electron'

import { KeychainCalls, loadKeytar } from './adapters/keytar-secret-store'
import { ownCommand } from './adapters/own-command'
import { consumePassphrase } from './adapters/passphrase'
import createCatalogWorker from './core/catalog/thread/catalog-thread?nodeWorker'
import createAuditWorker from './core/gateway/audit/audit-thread?nodeWorker'
import { documentFile } from './core/installation/store/document-over-conf'
import { recoverDocument } from './core/installation/store/recover-document'
import { openProfileFolder } from './core/lifecycle/open-profile-folder'
import { lockProfile } from './core/lifecycle/profile-lock'
import { AppLog } from './core/log/app-log'
import createSearchWorker from './core/log/search/search-thread?nodeWorker'
import { renameLinks } from './core/removal/own-names'
import createTokenWorker from './core/tools/tokens/token-thread?nodeWorker'
import type { PatchbayOptions, ProfilePorts, Shell } from './patchbay/modules/context'
import { openPatchbay, type Patchbay } from './patchbay/open-patchbay'
import { followAppLifecycle } from './shell/app-lifecycle'
import { DeepLinks } from './shell/deep-links'
import { Desktop } from './shell/desktop'
import { commandsOf } from './shell/desktop-commands'
import { DesktopMemory } from './shell/desktop-memory'
import { devServerOf } from './shell/dev-server'
import { openElectronDocumentStore } from './shell/electron-document-store'
import { electronUpdateSource } from './shell/electron-updates'
import { FatalErrors } from './shell/fatal-errors'
import { bridgeIpc } from './shell/ipc-main-bridge'
import { removeLoginItem, startsHidden } from './shell/login-item'
import { denyPermissions, MainWindow } from './shell/main-window'
import { openInBrowser } from './shell/open-in-browser'
import { pickPath } from './shell/pick-path'
import { prepareApp } from './shell/prepare-app'
import { removeAfterExit } from './shell/remove-after-exit'
import { registerRendererScheme, serveRenderer } from './shell/renderer-protocol'
import { resolveProxy } from './shell/resolve-proxy'
import { saveDownloads } from './shell/save-downloads'
import { showRunning } from './shell/show-running'

const BUILT = join(import.meta.dirname, '..')
const RESOURCES = join(BUILT, '../resources')
const keychainCalls = new KeychainCalls()

async function start(links: DeepLinks, fatal: FatalErrors): Promise<void> {
  await app.whenReady()
  const profileDir = app.getPath('userData')
  openProfileFolder(profileDir)
  const lock = await lockProfile(profileDir, {
    describe: () => ({ wayIn: 'desktop', pid: process.pid }),
    // Only one in the browser is asked to.
    end: () => undefined,
    takesOver: true,
  })
  if (lock.kind === 'taken') {
    await showRunning(profileDir, lock.by, links.hasWaiting)
    app.exit(0)
    return
  }
  fatal.close = () => lock.release()
  const startupNotices = renameLinks(profileDir)
  const log = new AppLog(profileDir)
  log.copy()
  fatal.logPath = log.path
  const showLog = (): void => shell.showItemInFolder(log.path)
  const memory = new DesktopMemory(profileDir)
  const preload = join(BUILT, 'preload/index.cjs')
  const window = new MainWindow({
    ...{ preload, profileDir, icon: windowIcon(), showLog },
    isViewAddress: (address) => patchbay.isViewAddress(address),
  })
  const patchbay = openCore(
    { profileDir, notices: startupNotices },
    {
      showLog,
      pickPath: (kind) => pickPath(kind, window.window, memory),
      end: () => {
        removeLoginItem()
        life.end()
      },
    },
    electronUpdateSource(() => window.mayQuit()),
  )
  log.mask = patchbay.mask
  const close = async (): Promise<void> => {
    await patchbay.close()
    await lock.release()
    await patchbay.finish()
    // Everything was removed.
    if (!existsSync(profileDir)) removeAfterExit(join(BUILT, 'main/after-exit.js'), profileDir)
  }
  fatal.close = close
  const run = commandsOf({ ...patchbay, window, profileDir, showLog })
  const desktop = new Desktop({
    state: patchbay.state(),
    onEvent: patchbay.onEvent,
    resourcesDir: RESOURCES,
    ...{ window, memory, run },
  })
  const life = followAppLifecycle({
    platform: process.platform,
    showWindow: () => window.show(),
    mayQuit: () => window.mayQuit(),
    keepsRunning: () => desktop.keepsRunning,
    onBackground: () => desktop.explainBackground(),
    isBlocked: () => keychainCalls.isOpen,
    close: async () => {
      desktop[Symbol.dispose]()
      await close()
      await patchbay.installUpdate()
    },
  })
  powerMonitor.on('resume', () => patchbay.servers.reportWake())
  denyPermissions()
  saveDownloads()
  serveRenderer(
    join(BUILT, 'renderer'),
    devServerOf(process.env.ELECTRON_RENDERER_URL, app.isPackaged),
  )
  bridgeIpc(patchbay, () => window.contents)
  if (!startsHidden(process.argv)) window.show()
  links.follow((link) => {
    patchbay.openLink(link)
    window.show()
  })
}

function openCore(
  { profileDir, notices = [] }: Pick<ProfilePorts, 'profileDir' | 'notices'>,
  window: Pick<Shell, 'showLog' | 'pickPath' | 'end'>,
  updateSource: PatchbayOptions['updateSource'],
): Patchbay {
  const recovered = recoverDocument(documentFile(profileDir))
  return openPatchbay({
    updateSource,
    profile: {
      profileDir,
      document: openElectronDocumentStore(profileDir),
      passphrase: consumePassphrase(),
      loadSecrets: () => loadKeytar(undefined, keychainCalls),
      notices: [...notices, ...recovered],
    },
    info: {
      version: app.getVersion(),
      wayIn: 'desktop',
      platform: process.platform,
      arch: process.arch,
      homeDir: app.getPath('home'),
      ownCommand: ownCommand({
        ...{ platform: process.platform, execPath: process.execPath, env: process.env },
        ...{ cli: join(BUILT, 'main/cli.js'), node: process.env.PATCHBAY_NODE },
      }),
      canPickPath: true,
    },
    shell: {
      ...window,
      openExternal: openInBrowser,
      showFile: (path) => shell.showItemInFolder(path),
    },
    threads: { createAuditWorker, createCatalogWorker, createSearchWorker, createTokenWorker },
    computer: { resolveProxy },
  })
}

/** Task bar icon for Linux; Windows and macOS use the program's. */
function windowIcon(): string | undefined {
  const icon = join(RESOURCES, 'icon.png')
  return process.platform === 'linux' && existsSync(icon) ? icon : undefined
}

// A closed terminal fails each write, which would become an error dialog.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stream.destroy())
const fatal = new FatalErrors()
fatal.watch()
prepareApp()
registerRendererScheme()
if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the app becomes ready only after this module was evaluated.
  start(new DeepLinks(process.argv), fatal).catch((error: unknown) => fatal.failStart(error))
} else {
  app.quit()
}
