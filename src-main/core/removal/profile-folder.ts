import { basename, join } from 'node:path'

import { messageOf } from '../failure/describe-failure'
import { plainFs } from '../file-system/plain-fs'
import { LOCK_NAME, OWN_NAMES, type OwnName, WINDOW } from './own-names'

const { lstat, readdir, readFile, readlink, rm, rmdir } = plainFs.promises

/** The existing paths of one kind of Patchbay's files. */
export type OwnPaths = {
  readonly own: OwnName
  /** Absolute paths, at least one. */
  readonly paths: readonly string[]
  /** Bytes on the disk, as far as readable. */
  readonly size: number
}

/** Contents of the profile folder. */
export type ProfileContents = {
  readonly own: readonly OwnPaths[]
  /** Absolute paths of files that Patchbay didn't create. */
  readonly foreign: readonly string[]
  /** Links in the place of Patchbay's folders, with their targets. */
  readonly links: readonly { readonly path: string; readonly to: string }[]
}

/** A path that couldn't be deleted, and the reason. */
export type RemainingPath = { readonly path: string; readonly reason: string }

/** The profile folder. Deletes only files with Patchbay's names, and follows no link. */
export class ProfileFolder {
  constructor(readonly path: string) {}

  /** Reads the current contents; empty if the folder doesn't exist. Rejects if it can't be read. */
  async read(): Promise<ProfileContents> {
    const names = (await this.#names()).filter((name) => name !== LOCK_NAME)
    const own: OwnPaths[] = []
    for (const one of OWN_NAMES) {
      const paths = names
        .filter((name) => one.names.test(name))
        .map((name) => join(this.path, name))
      if (paths.length === 0) continue
      const sizes = await Promise.all(paths.map(sizeOf))
      own.push({ own: one, paths, size: sizes.reduce((sum, size) => sum + size, 0) })
    }
    const foreign = names.filter((name) => !OWN_NAMES.some((one) => one.names.test(name)))
    return {
      own,
      foreign: foreign.map((name) => join(this.path, name)),
      links: await linksOf(own.flatMap(({ paths }) => paths)),
    }
  }

  /**
   * Returns the contents of Patchbay's own files whose names start with `beginning`, as far as readable. Rejects if the folder can't be
   * read.
   */
  async texts(beginning: string): Promise<string[]> {
    const names = (await this.#names()).filter(
      (name) =>
        name.startsWith(beginning) &&
        OWN_NAMES.some((own) => own.kind === 'file' && own.names.test(name)),
    )
    const texts = names.map((name) =>
      // The things that an unreadable file names are then reported as foreign.
      readFile(join(this.path, name), 'utf8').catch(() => ''),
    )
    return Promise.all(texts)
  }

  /** Deletes the paths that `read` found for one kind; returns those that are left. Never rejects. */
  async remove({ paths }: OwnPaths): Promise<RemainingPath[]> {
    const left: RemainingPath[] = []
    for (const path of paths) {
      try {
        await rm(path, { recursive: true, force: true, maxRetries: 5 })
      } catch (error) {
        left.push({ path, reason: messageOf(error) })
      }
    }
    return left
  }

  /** Deletes what a window wrote since, and the folder if it is empty. Never rejects. */
  async finish(): Promise<void> {
    try {
      const names = (await this.#names()).filter((name) => WINDOW.names.test(name))
      await this.remove({ own: WINDOW, paths: names.map((name) => join(this.path, name)), size: 0 })
      await rmdir(this.path)
    } catch {
      // The folder holds foreign files or is a link: it stays, as announced.
    }
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.path)).toSorted()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
}

/** Size of a file, or of a link itself; 0 if it is gone or unreadable. */
async function sizeOf(path: string): Promise<number> {
  try {
    const facts = await lstat(path)
    if (!facts.isDirectory()) return facts.size
    let sum = 0
    for (const name of await readdir(path)) sum += await sizeOf(join(path, name))
    return sum
  } catch {
    return 0 // the size is for display only
  }
}

async function linksOf(paths: readonly string[]): Promise<ProfileContents['links']> {
  const links = await Promise.all(
    paths.map(async (path) => {
      // Not a link, or gone meanwhile.
      const to = await readlink(path).catch(() => undefined)
      return to === undefined || WINDOW.names.test(basename(path)) ? [] : [{ path, to }]
    }),
  )
  return links.flat()
}
