import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

import { type BirpcReturn, createBirpc } from 'birpc'

import type { CoreFunctions } from './core-protocol'

const END_LIMIT_MS = 15_000

/** The core's process as seen by its parent; ends with its owner at the latest. */
export class CoreProcess implements Disposable {
  readonly ask: BirpcReturn<CoreFunctions, object>
  /** Rejects if the process ends too early. */
  readonly died: Promise<never>
  readonly #child: ChildProcess
  #isToEnd = false

  constructor(file: string) {
    this.#child = fork(file, {
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const { promise, reject } = Promise.withResolvers<never>()
    this.#child.once('exit', (code, signal) => {
      if (!this.#isToEnd) reject(new Error(`The core ended in the middle: ${code ?? signal ?? ''}`))
    })
    this.died = promise
    this.ask = createBirpc<CoreFunctions>(
      {},
      {
        post: (message) => this.#child.send(message as object),
        on: (listener) => this.#child.on('message', listener),
        timeout: -1,
      },
    )
  }

  /** Stops sending requests; resolves to whether the process then exited with code 0. */
  async end(): Promise<boolean> {
    this.#isToEnd = true
    const exited = once(this.#child, 'exit') as Promise<[number | null]>
    this.#child.disconnect()
    const limit = setTimeout(() => this.#child.kill('SIGKILL'), END_LIMIT_MS)
    const [code] = await exited
    clearTimeout(limit)
    return code === 0
  }

  [Symbol.dispose](): void {
    this.#isToEnd = true
    this.#child.kill('SIGKILL')
  }
}
