import { win32 } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** How this computer gets a new version: Patchbay installs it, or the user runs a command. */
export type UpdateChannel = 'self' | { readonly command: string }

/** Evidence of how the app was installed. */
export type InstalledApp = {
  readonly platform: NodeJS.Platform
  /** The running binary. */
  readonly execPath: string
  readonly env: Environment
  /** Content of `package-type` in the app's resources, written by electron-builder; undefined without the file. */
  readonly packageType: string | undefined
  readonly exists: (path: string) => boolean
}

const BY_PACKAGE: Readonly<Record<string, string>> = {
  deb: 'sudo apt update && sudo apt install --only-upgrade patchbay',
  rpm: 'sudo dnf upgrade patchbay',
  pacman: 'sudo pacman -Syu patchbay',
}

const CASKROOMS = ['/opt/homebrew/Caskroom/patchbay', '/usr/local/Caskroom/patchbay']

/** The channel of the command line in the npm package; undefined if `folder` isn't in one. */
export function npmChannelOf(folder: string): UpdateChannel | undefined {
  if (!/[\\/]node_modules[\\/]mcp-patchbay[\\/]/u.test(folder)) return undefined
  const isCached = /[\\/]_npx[\\/]/u.test(folder)
  return {
    command: isCached ? 'npx mcp-patchbay@latest' : 'npm install --global mcp-patchbay@latest',
  }
}

/** Undefined if the way of installation is unknown, such as an unpacked archive. */
export function updateChannelOf(app: InstalledApp): UpdateChannel | undefined {
  const { platform, exists } = app
  if (platform === 'linux') return linuxChannelOf(app)
  if (platform === 'win32') return windowsChannelOf(app)
  if (platform !== 'darwin') return undefined
  return CASKROOMS.some(exists) ? { command: 'brew upgrade --cask patchbay' } : 'self'
}

function linuxChannelOf({ execPath, env, packageType }: InstalledApp): UpdateChannel | undefined {
  if (env.SNAP) return { command: 'sudo snap refresh patchbay' }
  if (env.FLATPAK_ID) return { command: `flatpak update ${env.FLATPAK_ID}` }
  const command = packageType === undefined ? undefined : BY_PACKAGE[packageType.trim()]
  if (command !== undefined) return { command }
  const { APPIMAGE, APPDIR } = env
  // Another AppImage passes its variables to every child.
  return APPIMAGE && APPDIR && execPath.startsWith(`${APPDIR}/`) ? 'self' : undefined
}

function windowsChannelOf({ execPath, env, exists }: InstalledApp): UpdateChannel | undefined {
  if (/[\\/]WindowsApps[\\/]/iu.test(execPath)) return { command: 'winget upgrade Patchbay' }
  // The portable program and an unpacked archive have no uninstaller.
  const uninstaller = win32.join(win32.dirname(execPath), 'Uninstall Patchbay.exe')
  return !env.PORTABLE_EXECUTABLE_FILE && exists(uninstaller) ? 'self' : undefined
}

/** The name of a system's manifest, as electron-builder publishes it. */
export function manifestName(platform: NodeJS.Platform, arch: string): string {
  if (platform === 'darwin') return 'latest-mac.yml'
  if (platform !== 'linux') return 'latest.yml'
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
}
