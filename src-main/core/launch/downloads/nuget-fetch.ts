import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { PrivateFolders } from '../../process/spawn/private-folders'
import type { CommandFinder } from '../runners/command-finder'
import { isProgram } from '../runners/resolve-command'
import type { InstallFolder, InstallSpec } from './package-installer'

/** The file names that NuGet tries on case-sensitive systems. */
const CONFIG_NAMES = ['nuget.config', 'NuGet.config', 'NuGet.Config']
const DEEPEST = 64

/** Facts that decide where and with which program a fetch runs. */
export type NugetContext = {
  /** Full path of the server's dnx. */
  readonly dnx: string
  /** The server's working folder. */
  readonly cwd: string
  readonly finder: CommandFinder
  readonly folders: PrivateFolders
}

/**
 * Adapts a planned fetch: runs the `dotnet` next to the dnx with an empty manifest. Undefined if there is no such `dotnet`, or if NuGet is
 * configured differently in the server's folder.
 */
export async function nugetFetch(
  fetch: InstallSpec,
  { dnx, cwd, finder, folders }: NugetContext,
): Promise<InstallSpec | undefined> {
  const [ofServer, ofFetch] = await Promise.all([configsAbove(cwd), configsAbove(folders.root)])
  if (JSON.stringify(ofServer) !== JSON.stringify(ofFetch)) return undefined
  const command = await findDotnet(dnx, finder)
  if (command === undefined) return undefined
  return { ...fetch, command, arrange: () => arrangeEmptyManifest(folders), mayFail: true }
}

async function findDotnet(dnx: string, finder: CommandFinder): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'dotnet.exe' : 'dotnet'
  const sibling = join(dirname(dnx), name)
  if (await isProgram(sibling)) return sibling
  const found = await finder.look('dotnet')
  return found.kind === 'found' ? found.file : undefined
}

/** A project's own manifest would get the tool added to the project. */
async function arrangeEmptyManifest(folders: PrivateFolders): Promise<InstallFolder> {
  const { path, remove } = await folders.create('fetch')
  try {
    // NuGet reads its configuration from the folder above the manifest's.
    await mkdir(join(path, '.config'))
    const manifest = join(path, '.config', 'dotnet-tools.json')
    await writeFile(manifest, JSON.stringify({ version: 1, isRoot: true, tools: {} }))
    return { cwd: path, args: ['--tool-manifest', manifest], remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns NuGet's configuration files in a folder and its ancestors, nearest first. */
async function configsAbove(folder: string): Promise<string[]> {
  const found: string[] = []
  let next = folder
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    for (const name of CONFIG_NAMES) {
      const file = join(next, name)
      // An unreadable file counts as missing.
      await access(file).then(
        () => found.push(file),
        () => undefined,
      )
    }
    if (dirname(next) === next) break
    next = dirname(next)
  }
  return found
}
