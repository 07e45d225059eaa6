import { appendFileSync, lstatSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { attempt } from '../../../src-shared/domain/attempt'

const FILE = 'patchbay.log'
const OLDER_FILE = 'patchbay.1.log'
/** Size limit of the current file; an older file may take as much again. */
const MAX_BYTES = 2 * 1024 * 1024

/** A writable stream like `process.stderr`. */
type Output = Pick<NodeJS.WriteStream, 'write'>

/**
 * The log of Patchbay's own faults, `logs/patchbay.log` in the profile, next to the servers' folders. Lines are written synchronously,
 * because the last one before a crash matters most. A failure to write is ignored: there is no place to report it.
 */
export class AppLog {
  readonly path: string
  readonly #older: string
  /** Masks secrets; set once they are known. */
  mask: (text: string) => string = (text) => text

  constructor(
    profileDir: string,
    private readonly maxBytes = MAX_BYTES,
    private readonly now = (): Date => new Date(),
  ) {
    const folder = join(profileDir, 'logs')
    this.path = join(folder, FILE)
    this.#older = join(folder, OLDER_FILE)
    attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  }

  /** Appends each line of a text with the time. */
  write(text: string): void {
    const stamp = this.now().toISOString()
    const lines = this.mask(text).replace(/\n+$/u, '').split('\n')
    // If this fails, the text is still on stderr.
    attempt(() => {
      const facts = lstatSync(this.path, { throwIfNoEntry: false })
      // A link in its place could lead anywhere.
      if (facts && !facts.isFile()) return
      if ((facts?.size ?? 0) >= this.maxBytes) renameSync(this.path, this.#older)
      const block = lines.map((line) => `${stamp}  ${line}\n`).join('')
      // Fails without its folder, so that nothing is recreated after everything was removed.
      appendFileSync(this.path, block, { mode: 0o600 })
    })
  }

  /** Copies everything written to `stderr` into the log until disposed. */
  copy(stderr: Output = process.stderr): Disposable {
    const original = stderr.write
    const write = original.bind(stderr) as (...args: readonly unknown[]) => boolean
    stderr.write = (...args: readonly unknown[]): boolean => {
      const [chunk] = args
      this.write(chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk))
      return write(...args)
    }
    return {
      [Symbol.dispose]() {
        stderr.write = original
      },
    }
  }
}
