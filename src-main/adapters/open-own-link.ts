import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { cleanEnvironment } from '../core/launch/environment/clean-environment'
import { writeOpeningPage } from './opening-page'

const run = promisify(execFile)
/** Time for an answer of the desktop, in ms. */
const REQUEST_MS = 3_000
/** Variables of environments whose browser is on another system: WSL, a ChromeOS container, a remote editor. */
const FAR_BROWSER = [
  'WSL_DISTRO_NAME',
  'WSL_INTEROP',
  'SOMMELIER_VERSION',
  'VSCODE_IPC_HOOK_CLI',
  'REMOTE_CONTAINERS',
  'CODESPACES',
]
const SNAP_APPS = '/var/lib/snapd/desktop/applications'

export type OpenOwnLinkOptions = OpenLinkOptions & {
  /** Snap's list of apps. */
  readonly snapApps?: string
}

/**
 * Opens a link of `patchbay serve` in the system's browser without the link in any argument: by the page in the profile or, if the browser
 * can't read that, the address without its secret (`address`), where the user pastes the link. `open` takes a path or an address. Rejects
 * if no browser opens.
 */
export async function openOwnLink(
  { profileDir, link }: { readonly profileDir: string; readonly link: string },
  open: (target: string) => Promise<void>,
  options: OpenOwnLinkOptions = {},
): Promise<'page' | 'address'> {
  const page = (await readsPages(options)) ? writeOpeningPage(profileDir, link) : undefined
  const target = page ?? new URL('/', link).href
  await openLink(target, () => open(target), options)
  return page === undefined ? 'address' : 'page'
}

/** Whether a page of the profile opens in a browser that can read it. */
async function readsPages({
  platform = process.platform,
  environment = process.env,
  snapApps = SNAP_APPS,
}: OpenOwnLinkOptions): Promise<boolean> {
  if (platform !== 'linux') return true
  if (FAR_BROWSER.some((name) => environment[name] !== undefined)) return false
  const [browser, viewer] = await Promise.all([
    requestOpen('xdg-settings', ['get', 'default-web-browser'], environment),
    requestOpen('xdg-mime', ['query', 'default', 'text/html'], environment),
  ])
  if (browser === '') return viewer === ''
  // A snap browser reads no hidden folder, and an editor shows the link instead of following it.
  return (viewer === '' || viewer === browser) && !existsSync(join(snapApps, browser))
}

/** The answer of a desktop program; empty if there is none. */
function requestOpen(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return run(program, args, { env: environment, timeout: REQUEST_MS }).then(
    ({ stdout }) => stdout.trim(),
    () => '', // no desktop to ask
  )
}

/** If no browser runs yet, `xdg-open` becomes one and doesn't exit. In ms. */
const LIMIT_MS = 5_000

type OpenLinkOptions = {
  readonly platform?: NodeJS.Platform
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly limitMs?: number
}

/**
 * Opens an address in the system's browser: by `open`, which passes on this process's environment, or on Linux without a wrapper's
 * variables, because a browser doesn't start with another app's libraries. Rejects if none opens.
 */
export async function openLink(
  address: string,
  open: () => Promise<void>,
  {
    platform = process.platform,
    environment = process.env,
    limitMs = LIMIT_MS,
  }: OpenLinkOptions = {},
): Promise<void> {
  const env = cleanEnvironment(environment, platform)
  const isClean = Object.entries(environment).every(([name, value]) => env[name] === value)
  if (platform !== 'linux' || isClean) return open()
  const opened = await openByXdg(address, env, limitMs)
  if (opened === 'no-program') return open()
  if (opened === 'failed') throw new Error('Can’t open a browser.')
}

function openByXdg(
  address: string,
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<'opened' | 'failed' | 'no-program'> {
  return new Promise((resolve) => {
    const child = spawn('xdg-open', [address], { env, stdio: 'ignore', detached: true })
    const limit = setTimeout(() => resolve('opened'), limitMs)
    child.unref()
    child.once('error', () => {
      clearTimeout(limit)
      resolve('no-program')
    })
    child.once('exit', (code) => {
      clearTimeout(limit)
      resolve(code === 0 ? 'opened' : 'failed')
    })
  })
}
