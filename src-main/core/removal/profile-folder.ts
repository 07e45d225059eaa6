import { basename, join } from 'node:path'

import { messageOf } from '../failure/describe-failure'
import { plainFs } from '../file-system/plain-fs'
import { LOCK_NAME, OWN_NAMES, type OwnName, WINDOW } from './own-names'

const { lstat, readdir, readFile, readlink, rm, rmdir } = plainFs.promises

/** What there is of one kind of Patchbay's files. */
export type OwnPaths = {
  readonly own: OwnName
  /** Absolute, at least one. */
  readonly paths: readonly string[]
  /** Bytes on the disk, as far as they can be read. */
  readonly size: number
}

/** What is in the profile folder. */
export type ProfileContents = {
  readonly own: readonly OwnPaths[]
  /** Absolute paths of what Patchbay did not make. */
  readonly foreign: readonly string[]
  /** Links in the place of folders of Patchbay, and where they lead. */
  readonly links: readonly { readonly path: string; readonly to: string }[]
}

/** A path that could not be deleted, and why. */
export type LeftPath = { readonly path: string; readonly reason: string }

/** The folder that Patchbay keeps its files in; only what has one of its names is ever deleted there, and no link is followed. */
export class ProfileFolder {
  constructor(readonly path: string) {}

  /** Everything in it, as it is now; rejects where the folder cannot be read. One that is not there is empty. */
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

  /** The texts of Patchbay's own files whose names begin so, as far as they can be read. Rejects where the folder cannot be. */
  async texts(beginning: string): Promise<string[]> {
    const names = (await this.#names()).filter(
      (name) =>
        name.startsWith(beginning) &&
        OWN_NAMES.some((own) => own.kind === 'file' && own.names.test(name)),
    )
    const texts = names.map((name) =>
      // What it names is reported as somebody else's then.
      readFile(join(this.path, name), 'utf8').catch(() => ''),
    )
    return Promise.all(texts)
  }

  /** Deletes what `read` found of one kind; gives what is left. Never rejects. */
  async remove({ paths }: OwnPaths): Promise<LeftPath[]> {
    const left: LeftPath[] = []
    for (const path of paths) {
      try {
        await rm(path, { recursive: true, force: true, maxRetries: 5 })
      } catch (error) {
        left.push({ path, reason: messageOf(error) })
      }
    }
    return left
  }

  /** Takes away what a window left since, and the folder itself where nothing is in it any more. Never rejects. */
  async finish(): Promise<void> {
    try {
      const names = (await this.#names()).filter((name) => WINDOW.names.test(name))
      await this.remove({ own: WINDOW, paths: names.map((name) => join(this.path, name)), size: 0 })
      await rmdir(this.path)
    } catch {
      // Somebody else's files are in it, or it is a link to another place: it stays, as was shown.
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

/** Of a link, of the link alone; 0 for what is gone or cannot be read. */
async function sizeOf(path: string): Promise<number> {
  try {
    const facts = await lstat(path)
    if (!facts.isDirectory()) return facts.size
    let sum = 0
    for (const name of await readdir(path)) sum += await sizeOf(join(path, name))
    return sum
  } catch {
    return 0 // its size is shown only
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
