import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { RecordedCall } from './desktop-app'

/** Runs in the main process before the app's first line, and writes what a `LaunchRecord` reads. */
export const RECORDER = join(import.meta.dirname, 'recorder.cjs')

/** Lets the system's dialogs open instead of answering them. */
export const OWN_DIALOGS = { PATCHBAY_OWN_DIALOGS: '1' }

type Entry = Partial<RecordedCall> & { readonly text?: string; readonly exitCode?: number }

/** The record of one start of the app; readable after the app has exited. */
export class LaunchRecord {
  readonly #folder = mkdtempSync(join(tmpdir(), 'patchbay-record-'))
  readonly #file = join(this.#folder, 'record.jsonl')

  constructor() {
    // Also writable for an app that runs as another account.
    writeFileSync(this.#file, '')
    chmodSync(this.#folder, 0o755)
    chmodSync(this.#file, 0o666)
  }

  get env(): Record<string, string> {
    return { PATCHBAY_RECORDED_CALLS: this.#file }
  }

  calls(): RecordedCall[] {
    return this.#entries().flatMap(({ api, args = [] }) =>
      api === undefined ? [] : [{ api, args }],
    )
  }

  /** Output of the main process. */
  log(): string {
    return this.#entries()
      .map(({ text = '' }) => text)
      .join('')
  }

  /** Undefined while it runs, or if a signal ended it. */
  exitCode(): number | undefined {
    return this.#entries().find(({ exitCode }) => exitCode !== undefined)?.exitCode
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #entries(): Entry[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n')
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Entry)
  }
}
