import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { PrivateFolders } from '../../process/spawn/private-folders'
import type { CommandFinder } from '../runners/command-finder'
import { isProgram } from '../runners/resolve-command'
import type { InstallPlace, InstallSpec } from './package-installer'

/** As NuGet itself looks for it where names differ by case. */
const CONFIG_NAMES = ['nuget.config', 'NuGet.config', 'NuGet.Config']
const DEEPEST = 64

/** What decides where a fetch runs and with which program. */
export type NugetPlace = {
  /** Full path of the dnx that the server starts with. */
  readonly dnx: string
  /** The folder that the server runs in. */
  readonly cwd: string
  readonly finder: CommandFinder
  readonly folders: PrivateFolders
}

/**
 * The planned fetch as it runs: the `dotnet` that belongs to the dnx, beside an empty manifest of its own.
 * Undefined where there is none, or where NuGet is configured otherwise in the server's folder than there.
 */
export async function nugetFetch(
  fetch: InstallSpec,
  { dnx, cwd, finder, folders }: NugetPlace,
): Promise<InstallSpec | undefined> {
  const [ofServer, ofFetch] = await Promise.all([configsAbove(cwd), configsAbove(folders.root)])
  if (JSON.stringify(ofServer) !== JSON.stringify(ofFetch)) return undefined
  const command = await findDotnet(dnx, finder)
  if (command === undefined) return undefined
  return { ...fetch, command, arrange: () => besideEmptyManifest(folders), mayFail: true }
}

async function findDotnet(dnx: string, finder: CommandFinder): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'dotnet.exe' : 'dotnet'
  const beside = join(dirname(dnx), name)
  if (await isProgram(beside)) return beside
  const found = await finder.look('dotnet')
  return found.kind === 'found' ? found.file : undefined
}

/** With a manifest of a project the tool would be added to that project. */
async function besideEmptyManifest(folders: PrivateFolders): Promise<InstallPlace> {
  const { path, remove } = await folders.create('fetch')
  try {
    // NuGet reads its configuration from the folder above that of the manifest.
    await mkdir(join(path, '.config'))
    const manifest = join(path, '.config', 'dotnet-tools.json')
    await writeFile(manifest, JSON.stringify({ version: 1, isRoot: true, tools: {} }))
    return { cwd: path, args: ['--tool-manifest', manifest], remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** NuGet's configurations in a folder and all those above it, nearest first. */
async function configsAbove(folder: string): Promise<string[]> {
  const found: string[] = []
  let next = folder
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    for (const name of CONFIG_NAMES) {
      const file = join(next, name)
      // One that is not to be read counts as none.
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
