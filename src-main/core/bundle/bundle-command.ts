import { posix, win32 } from 'node:path'

import { AppError } from '../../../src-shared/domain/app-error'
import { invalidBundle } from './archive/bundle-error'
import type { BundleManifest } from './manifest/manifest'
import { type ManifestContext, plainText } from './manifest/manifest-text'

/** The folder of an unpacked bundle on a computer; `isFile` checks absolute paths. */
export type BundleContext = ManifestContext & { readonly isFile: (path: string) => boolean }

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
export function commandOf(manifest: BundleManifest, context: BundleContext): BundleCommand {
  checkPlatform(manifest, context)
  const { command = '', args = [], env = {} } = configOf(manifest, context)
  if (command === '') return impliedCommand(manifest, context)
  return { command: programOf(command, manifest, context), args, env }
}

/** Merges the manifest's platform section over the general one; variables of both count. */
function configOf(
  { server }: BundleManifest,
  { platform }: ManifestContext,
): Partial<BundleCommand> {
  const { platform_overrides: overrides, ...all } = server.mcp_config ?? {}
  const here = overrides?.[platform]
  if (here === undefined) return all
  return {
    command: here.command ?? all.command,
    args: here.args ?? all.args,
    env: { ...all.env, ...here.env },
  }
}

function checkPlatform({ compatibility }: BundleManifest, { platform }: ManifestContext): void {
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
function impliedCommand({ server }: BundleManifest, context: BundleContext): BundleCommand {
  const { type, entry_point: entry = '' } = server
  if (entry === '') throw invalidBundle('The manifest names neither a command nor an entry point.')
  const file = pathInside(entry, context)
  if (!context.isFile(file) && type !== 'binary') {
    throw invalidBundle(`The manifest’s entry point ${entry} is missing from the bundle.`)
  }
  switch (type) {
    case 'node':
      return { command: 'node', args: [file], env: {} }
    case 'python':
      return { command: pythonOf(context), args: [file], env: {} }
    case 'uv':
      if (!context.isFile(projectFile(context)))
        throw invalidBundle('The manifest uses uv, but the bundle has no pyproject.toml.')
      return { command: 'uv', args: ['run', '--directory', context.folder, file], env: {} }
    case 'binary':
      return { command: bundledProgram(file, entry, context), args: [], env: {} }
  }
}

/** Returns uv's project file, which names the Python and the packages. */
export function projectFile(context: ManifestContext): string {
  return rulesOf(context).join(context.folder, 'pyproject.toml')
}

function programOf(text: string, { server }: BundleManifest, context: BundleContext): string {
  const command = plainText(text, context)
  if (command === undefined)
    throw invalidBundle('The manifest lets a setting choose the program to run.')
  const isPython = server.type === 'python' && /^python3?$/.test(command)
  if (isPython) return pythonOf(context)
  const rules = rulesOf(context)
  if (!isOnPath(command)) {
    const isFullPath = rules.isAbsolute(command)
    const file = isFullPath ? rules.normalize(command) : pathInside(command, context)
    return isInside(file, context) ? bundledProgram(file, text, context) : file
  }
  const bundled = rules.join(context.folder, command)
  const isOwn =
    server.type === 'binary' && (context.isFile(bundled) || context.isFile(`${bundled}.exe`))
  return isOwn ? bundledProgram(bundled, text, context) : command
}

/** Returns the bundle's own program; on Windows its extension may be omitted. */
function bundledProgram(file: string, text: string, context: BundleContext): string {
  if (context.isFile(file)) return file
  if (context.platform === 'win32' && context.isFile(`${file}.exe`)) return `${file}.exe`
  throw invalidBundle(`The manifest starts ${text}, which is missing from the bundle.`)
}

/** Many Linux systems and every Mac have no program "python", and Windows has no "python3". */
function pythonOf({ platform }: ManifestContext): string {
  return platform === 'win32' ? 'python' : 'python3'
}

function pathInside(text: string, context: BundleContext): string {
  const rules = rulesOf(context)
  const plain = plainText(text, context) ?? text
  const file = rules.resolve(context.folder, plain)
  if (isInside(file, context)) return file
  throw invalidBundle(`The manifest names ${text}, which is outside the bundle.`)
}

/** Whether a command is a name to search on the user's PATH, and not a path. */
export function isOnPath(command: string): boolean {
  return !/[\\/]/.test(command)
}

/** Whether an absolute path is within the bundle's folder. */
export function isInside(file: string, context: ManifestContext): boolean {
  const rules = rulesOf(context)
  const relativePath = rules.relative(context.folder, file)
  return (
    relativePath !== '' &&
    !rules.isAbsolute(relativePath) &&
    relativePath.split(rules.sep)[0] !== '..'
  )
}

function rulesOf({ platform }: ManifestContext): typeof posix {
  return platform === 'win32' ? win32 : posix
}
