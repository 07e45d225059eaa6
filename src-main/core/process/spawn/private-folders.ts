import { join } from 'node:path'

import { plainFs } from '../../file-system/plain-fs'

const { lstat, mkdir, mkdtemp, readdir, rm } = plainFs.promises

/** A folder for this account alone; `remove` never rejects. */
export type PrivateFolder = { readonly path: string; readonly remove: () => Promise<void> }

const PREFIX = 'patchbay-'
/** One start of the app removes so many at most; the next one goes on. */
const MOST_SWEPT = 200

/**
 * Folders for the time that a command runs, below one that belongs to the profile. They are not in the
 * system's folder for temporary files: others may write there, and what lies above a folder counts for
 * many a program.
 */
export class PrivateFolders {
  #swept: Promise<void> | undefined

  /** `earlierGone` settles when no process of an earlier run of the app is left. */
  constructor(
    readonly root: string,
    private readonly earlierGone: Promise<void> = Promise.resolve(),
  ) {}

  /** A new, empty folder with `purpose` in its name. */
  async create(purpose: string): Promise<PrivateFolder> {
    await this.sweep()
    await mkdir(this.root, { recursive: true, mode: 0o700 })
    const path = await mkdtemp(join(this.root, `${PREFIX}${purpose}-`))
    return { path, remove: () => remove(path) }
  }

  /** Removes, once, what a run that was killed has left; the profile's lock says that no other run is there. Never rejects. */
  sweep(): Promise<void> {
    this.#swept ??= this.earlierGone.then(() => sweepFolder(this.root))
    return this.#swept
  }
}

async function sweepFolder(root: string): Promise<void> {
  for (const path of (await leftIn(root)).slice(0, MOST_SWEPT)) await remove(path)
}

/** Folders of ours, and no links to folders of others. */
async function leftIn(root: string): Promise<string[]> {
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
    return [] // nothing was ever there, or its owner cannot be known: the next start looks again
  }
}

/** What is in use still is removed by the next start of the app. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}
