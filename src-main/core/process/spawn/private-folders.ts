import { join } from 'node:path'

import { plainFs } from '../../file-system/plain-fs'

const { lstat, mkdir, mkdtemp, readdir, rm } = plainFs.promises

/** A folder readable by this account only; `remove` never rejects. */
export type PrivateFolder = { readonly path: string; readonly remove: () => Promise<void> }

const PREFIX = 'patchbay-'
/** Removed folders per start of the app; the next start continues. */
const MAX_SWEPT = 200

/**
 * Folders for the duration of a command, within the profile's own folder. The system's temporary folder isn't used: others may write there,
 * and many programs read files of parent folders.
 */
export class PrivateFolders {
  #swept: Promise<void> | undefined

  /** `orphansEnded` settles when no process of an earlier run is left. */
  constructor(
    readonly root: string,
    private readonly orphansEnded: Promise<void> = Promise.resolve(),
  ) {}

  /** Creates an empty folder with `purpose` in its name. */
  async create(purpose: string): Promise<PrivateFolder> {
    await this.sweep()
    await mkdir(this.root, { recursive: true, mode: 0o700 })
    const path = await mkdtemp(join(this.root, `${PREFIX}${purpose}-`))
    return { path, remove: () => remove(path) }
  }

  /** Removes the folders of killed runs, once; the profile lock excludes other runs. Never rejects. */
  sweep(): Promise<void> {
    this.#swept ??= this.orphansEnded.then(() => sweepFolder(this.root))
    return this.#swept
  }
}

async function sweepFolder(root: string): Promise<void> {
  for (const path of (await staleIn(root)).slice(0, MAX_SWEPT)) await remove(path)
}

/** Our own folders, without links to others. */
async function staleIn(root: string): Promise<string[]> {
  try {
    if (!(await lstat(root)).isDirectory()) return []
    const entries = await readdir(root, { withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
      .map(({ name }) => join(root, name))
    const owners = await Promise.all(paths.map(async (path) => (await lstat(path)).uid))
    const own = process.getuid?.()
    return paths.filter((_path, index) => own === undefined || owners[index] === own)
  } catch {
    return [] // the folder is missing, or its owner is unknown: the next start tries again
  }
}

/** A folder still in use is removed by the next start. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}
