import { homedir } from 'node:os'
import { resolve } from 'node:path'

import manifest from '../../package.json'
import type { AppNotice } from '../../src-shared/domain/state/app-state'
import { loadKeytar } from '../adapters/keytar-secret-store'
import { openOwnLink } from '../adapters/open-own-link'
import { removeOpeningPage } from '../adapters/opening-page'
import { ownCommand } from '../adapters/own-command'
import { consumePassphrase } from '../adapters/passphrase'
import type { UpdateSource } from '../core/app-updates/app-updates'
import { releaseFeed } from '../core/app-updates/release-feed'
import { manifestName, npmChannelOf } from '../core/app-updates/update-channel'
import { readReleaseKey } from '../core/app-updates/update-manifest'
import createCatalogWorker from '../core/catalog/thread/catalog-thread?nodeWorker'
import createAuditWorker from '../core/gateway/audit/audit-thread?nodeWorker'
import { documentFile } from '../core/installation/store/document-over-conf'
import { recoverDocument } from '../core/installation/store/recover-document'
import { openProfileFolder } from '../core/lifecycle/open-profile-folder'
import { lockProfile } from '../core/lifecycle/profile-lock'
import { AppLog } from '../core/log/app-log'
import createSearchWorker from '../core/log/search/search-thread?nodeWorker'
import { renameLinks } from '../core/removal/own-names'
import createTokenWorker from '../core/tools/tokens/token-thread?nodeWorker'
import { openPatchbay } from '../patchbay/open-patchbay'
import { openConfDocumentStore } from '../serve/conf-document-store'
import { listenOnLoopback, type LoopbackListener } from '../serve/loopback-listener'
import { defaultProfileDir } from '../serve/profile-dir'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const FURTHER_TAB = 'further-tab'
const NO_BROWSER = "Can't open a browser. Use the link above."

const THREADS = {
  createAuditWorker,
  createCatalogWorker,
  createSearchWorker,
  createTokenWorker,
}

/** Runs the browser version until a signal; shows a Patchbay that already runs instead. */
export async function serve(options: {
  readonly port: number
  readonly open: boolean
  readonly profileDir: string | undefined
  /** Absolute path of this command line. */
  readonly program: string
  /** Folder of the built screens. */
  readonly rendererDir: string
}): Promise<void> {
  const profileDir = resolve(options.profileDir ?? defaultProfileDir(process.platform, process.env))
  openProfileFolder(profileDir)
  const running: { listener?: LoopbackListener } = {}
  const ending = Promise.withResolvers<number>()
  const lock = await lockProfile(profileDir, {
    describe: () => ({
      ...{ wayIn: 'browser', pid: process.pid },
      link: running.listener?.issueLink(),
    }),
    end: () => ending.resolve(0),
  })
  if (lock.kind === 'taken') {
    const { link } = lock.by
    if (link === undefined) print('Patchbay is already open on the desktop. Use its window.')
    else await show('Patchbay is already running', { profileDir, link }, options.open)
    return
  }
  // Before the first server starts: none may outlive an early Ctrl-C.
  endOnSignals(ending.resolve)
  const linkNotices = renameLinks(profileDir)
  const log = new AppLog(profileDir)
  log.copy()
  const startupNotices = [...linkNotices, ...recoverDocument(documentFile(profileDir))]
  const patchbay = openPatchbay({
    profile: {
      profileDir,
      document: openConfDocumentStore(profileDir),
      ...{ passphrase: consumePassphrase(), loadSecrets: () => loadKeytar() },
      notices: startupNotices,
    },
    info: {
      version: manifest.version,
      wayIn: 'browser',
      platform: process.platform,
      arch: process.arch,
      homeDir: homedir(),
      ownCommand: ownCommand({
        ...{ platform: process.platform, execPath: process.execPath, env: process.env },
        ...{ cli: options.program, node: process.execPath },
      }),
      canPickPath: false,
    },
    threads: THREADS,
    updateSource: npmUpdateSource(options.rendererDir),
    shell: {
      end: () => ending.resolve(0),
      signOutTabs: () => {
        running.listener?.signOutTabs()
        patchbay.notices.dismiss(FURTHER_TAB)
      },
    },
  })
  log.mask = patchbay.mask
  let exitCode: number
  try {
    const listener = await listenOnLoopback({
      patchbay,
      rendererDir: options.rendererDir,
      port: options.port,
      onLinkEnd: () => removeOpeningPage(profileDir),
      onFurtherTab: (tabs) => patchbay.notices.add(furtherTab(tabs)),
    })
    running.listener = listener
    const link = listener.issueLink()
    await show('Patchbay is open', { profileDir, link }, options.open)
    exitCode = await ending.promise
    print('Stopping the servers')
  } finally {
    await Promise.all([running.listener?.close(), patchbay.close()])
    await lock.release()
    await patchbay.finish()
  }
  process.exit(exitCode)
}

/** All systems have the same versions, so any manifest shows the newest one. */
function npmUpdateSource(folder: string): UpdateSource | undefined {
  const feed = releaseFeed()
  const channel = npmChannelOf(folder)
  if (!feed || !channel) return undefined
  const manifest = new URL(manifestName(process.platform, process.arch), feed.url).href
  return { manifest, key: readReleaseKey(feed.key), channel }
}

async function show(
  what: string,
  own: { readonly profileDir: string; readonly link: string },
  open: boolean,
): Promise<void> {
  print(`${what}: ${own.link}`)
  print('The link works once, within a minute. Run the command again for a new one.')
  if (!open) return
  try {
    const by = await openOwnLink(own, async (target) => {
      const { default: openInBrowser } = await import('open')
      const opener = await openInBrowser(target)
      opener.on('error', () => print(NO_BROWSER))
    })
    if (by === 'address') print('Paste the link into the address bar of the page that opened.')
  } catch {
    print(NO_BROWSER)
  }
}

/** The notice that another tab used a link, which only the user should have. */
function furtherTab(tabs: number): AppNotice {
  const at = new Date().toLocaleTimeString([], { timeStyle: 'short' })
  return {
    noticeId: FURTHER_TAB,
    severity: 'warn',
    title: 'Patchbay was opened in another tab.',
    message: `Tabs opened since the start: ${String(tabs)}, the last at ${at}. If you didn’t open one of them, sign out all tabs, then start Patchbay again for a new link.`,
    action: 'sign-out-tabs',
  }
}

/** Calls `end` with the exit code; even Patchbay's own fault must not leave servers behind. */
function endOnSignals(end: (exitCode: number) => void): void {
  // A closed terminal breaks stdout; SIGHUP reports the same.
  process.stdout.on('error', () => process.stdout.destroy())
  for (const signal of SIGNALS) process.on(signal, () => end(0))
  process.on('uncaughtException', (error) => {
    process.stderr.write(`patchbay: ${error.stack ?? error.message}\n`)
    end(1)
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
