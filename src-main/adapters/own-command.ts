import { posix } from 'node:path'

import type { OwnCommand } from '../../src-shared/domain/state/app-state'

type Environment = Readonly<Record<string, string | undefined>>

/** The location of the running program, and how it was started. */
export type ProgramPlace = {
  readonly platform: NodeJS.Platform
  /** The running binary: Electron or Node. */
  readonly execPath: string
  /** Absolute path of the built command line, `cli.js`. */
  readonly cli: string
  /** Absolute path of the Node that runs the command line if the app isn't packaged. */
  readonly node: string | undefined
  readonly env: Environment
}

/** A program with its arguments and its whole environment. */
export type Start = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Environment
}

const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' }
const MOVE_FIRST =
  'macOS runs Patchbay from a temporary folder. Move Patchbay to the Applications folder, then open it again.'

/**
 * The command that agent apps start, the same for both ways in. All paths are absolute, because apps without a terminal have another PATH.
 * A package runs its own binary, so that the keychain sees one program.
 */
export function ownCommand(place: ProgramPlace): OwnCommand {
  const { platform, execPath, cli, node } = place
  const resources = resourcesOf(cli)
  if (resources === undefined && node !== undefined) return { argv: [node, cli], env: {} }
  // Windows starts no script without a shell.
  if (resources === undefined || platform === 'win32')
    return { argv: [execPath, cli], env: AS_NODE }
  if (platform !== 'darwin')
    return { argv: [appImageOf(place) ?? posix.join(resources, '..', 'patchbay')], env: {} }
  const argv = [posix.join(resources, 'bin', 'patchbay')]
  // Translocated by macOS or run from a disk image, the program has another path at its next start.
  const isTemporary = /\/AppTranslocation\/|^\/Volumes\/Patchbay\b/u.test(execPath)
  return { argv, env: {}, ...(isTemporary && { obstacle: MOVE_FIRST }) }
}

/**
 * How to start the app without a window: the desktop app if it is installed and can open, else `patchbay serve`. `isUsualProfile`: the
 * desktop app uses this profile folder by default.
 */
export function hiddenStart(
  place: ProgramPlace & { readonly isRoot: boolean },
  profileDir: string,
  isUsualProfile: boolean,
): Start {
  const { platform, execPath, cli, isRoot } = place
  // No server needs the key, and as Node Electron opens no window.
  const env = {
    ...place.env,
    PATCHBAY_AGENT_KEY: undefined,
    PATCHBAY_PASSPHRASE: undefined,
    ELECTRON_RUN_AS_NODE: undefined,
  }
  const resources = resourcesOf(cli)
  const { DISPLAY, WAYLAND_DISPLAY } = place.env
  const hasScreen = platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY)
  // Chromium has no sandbox for root.
  if (resources === undefined || !hasScreen || (platform === 'linux' && isRoot))
    return {
      command: execPath,
      args: [cli, 'serve', '--no-open', '--profile', profileDir],
      env: resources === undefined ? env : { ...env, ...AS_NODE },
    }
  const args = ['--hidden', ...(isUsualProfile ? [] : [`--user-data-dir=${profileDir}`])]
  if (platform === 'darwin')
    // Started directly, macOS would attribute Patchbay's file access to the agent app.
    return {
      command: '/usr/bin/open',
      args: ['-g', '-j', '-a', posix.join(resources, '..', '..'), '--args', ...args],
      env,
    }
  return { command: appImageOf(place) ?? execPath, args, env }
}

/** The `resources` folder of a file's package. */
function resourcesOf(file: string): string | undefined {
  return /^(.+)[\\/]app\.asar[\\/]/u.exec(file)?.[1]
}

/** The program's AppImage: another AppImage passes its own variables to every child. */
function appImageOf({ cli, env }: ProgramPlace): string | undefined {
  const { APPIMAGE, APPDIR } = env
  return APPIMAGE && APPDIR && cli.startsWith(`${APPDIR}/`) ? APPIMAGE : undefined
}
