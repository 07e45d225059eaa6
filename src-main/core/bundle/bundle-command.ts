import { posix, win32 } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { invalidBundle } from './archive/bundle-error'
import type { BundleManifest } from './manifest/manifest'
import { plainText, type TextPlace } from './manifest/manifest-text'

/** The folder of an unpacked bundle on a computer; `isFile` checks absolute paths. */
export type BundlePlace = TextPlace & { readonly isFile: (path: string) => boolean }

/** The command of a manifest on this platform; arguments and variables are still unresolved. */
export type BundleCommand = {
  /** A program name or an absolute path. */
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const PLATFORMS: ReadonlyMap<string, string> = new Map([
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
  ['linux', 'Linux'],
])

/** Returns the command of a manifest on this platform. Throws UNSUPPORTED_PACKAGE or INVALID_BUNDLE. */
export function commandOf(manifest: BundleManifest, place: BundlePlace): BundleCommand {
  checkPlatform(manifest, place)
  const { command = '', args = [], env = {} } = configOf(manifest, place)
  if (command === '') return impliedCommand(manifest, place)
  return { command: programOf(command, manifest, place), args, env }
}

/** Merges the manifest's platform section over the general one; variables of both count. */
function configOf({ server }: BundleManifest, { platform }: TextPlace): Partial<BundleCommand> {
  const { platform_overrides: overrides, ...all } = server.mcp_config ?? {}
  const here = overrides?.[platform]
  if (here === undefined) return all
  return {
    command: here.command ?? all.command,
    args: here.args ?? all.args,
    env: { ...all.env, ...here.env },
  }
}

function checkPlatform({ compatibility }: BundleManifest, { platform }: TextPlace): void {
  const platforms = compatibility?.platforms ?? []
  if (platforms.length === 0 || platforms.includes(platform)) return
  const names = platforms.map((name) => PLATFORMS.get(name) ?? name).join(' and ')
  const here = PLATFORMS.get(platform) ?? platform
  throw new AppError(
    'UNSUPPORTED_PACKAGE',
    `This bundle is for ${names}, but this computer runs ${here}.`,
    { hint: 'Find a bundle for this system, or another way to run this server.' },
  )
}

/** Derives the command, which a manifest omits for uv, and in practice for others. */
function impliedCommand({ server }: BundleManifest, place: BundlePlace): BundleCommand {
  const { type, entry_point: entry = '' } = server
  if (entry === '') throw invalidBundle('The manifest names neither a command nor an entry point.')
  const file = pathInside(entry, place)
  if (!place.isFile(file) && type !== 'binary') {
    throw invalidBundle(`The manifest’s entry point ${entry} is missing from the bundle.`)
  }
  switch (type) {
    case 'node':
      return { command: 'node', args: [file], env: {} }
    case 'python':
      return { command: pythonOf(place), args: [file], env: {} }
    case 'uv':
      if (!place.isFile(projectFile(place)))
        throw invalidBundle('The manifest uses uv, but the bundle has no pyproject.toml.')
      return { command: 'uv', args: ['run', '--directory', place.folder, file], env: {} }
    case 'binary':
      return { command: ownProgram(file, entry, place), args: [], env: {} }
  }
}

/** Returns uv's project file, which names the Python and the packages. */
export function projectFile(place: TextPlace): string {
  return rulesOf(place).join(place.folder, 'pyproject.toml')
}

function programOf(text: string, { server }: BundleManifest, place: BundlePlace): string {
  const command = plainText(text, place)
  if (command === undefined)
    throw invalidBundle('The manifest lets a setting choose the program to run.')
  const isPython = server.type === 'python' && /^python3?$/.test(command)
  if (isPython) return pythonOf(place)
  const rules = rulesOf(place)
  if (!isOnPath(command)) {
    const isWhole = rules.isAbsolute(command)
    const file = isWhole ? rules.normalize(command) : pathInside(command, place)
    return isInside(file, place) ? ownProgram(file, text, place) : file
  }
  const beside = rules.join(place.folder, command)
  const isOwn = server.type === 'binary' && (place.isFile(beside) || place.isFile(`${beside}.exe`))
  return isOwn ? ownProgram(beside, text, place) : command
}

/** Returns the bundle's own program; on Windows its extension may be omitted. */
function ownProgram(file: string, text: string, place: BundlePlace): string {
  if (place.isFile(file)) return file
  if (place.platform === 'win32' && place.isFile(`${file}.exe`)) return `${file}.exe`
  throw invalidBundle(`The manifest starts ${text}, which is missing from the bundle.`)
}

/** Many Linux systems and every Mac have no program "python", and Windows has no "python3". */
function pythonOf({ platform }: TextPlace): string {
  return platform === 'win32' ? 'python' : 'python3'
}

function pathInside(text: string, place: BundlePlace): string {
  const rules = rulesOf(place)
  const plain = plainText(text, place) ?? text
  const file = rules.resolve(place.folder, plain)
  if (isInside(file, place)) return file
  throw invalidBundle(`The manifest names ${text}, which is outside the bundle.`)
}

/** Whether a command is a name to search on the user's PATH, and not a path. */
export function isOnPath(command: string): boolean {
  return !/[\\/]/.test(command)
}

/** Whether an absolute path is within the bundle's folder. */
export function isInside(file: string, place: TextPlace): boolean {
  const rules = rulesOf(place)
  const way = rules.relative(place.folder, file)
  return way !== '' && !rules.isAbsolute(way) && way.split(rules.sep)[0] !== '..'
}

function rulesOf({ platform }: TextPlace): typeof posix {
  return platform === 'win32' ? win32 : posix
}
