import type { ProcessSnapshot, ProcessTable } from './process-table'

/** A program of the system that prints its processes. */
export type ProcessPrinter = Pick<ProcessTable, 'keepsParents' | 'bootId'> & {
  readonly print: () => Promise<ProcessSnapshot>
  /** Whether a process that this account may not signal still runs: elsewhere a zombie is answered the same. */
  readonly isRunningWhereForbidden: boolean
}

/** The process table where only a program tells it: dear, so it is asked where nothing else tells. */
export class PrintedProcesses implements ProcessTable {
  readonly readsMarks = false
  readonly keepsParents: boolean
  readonly #snapshots: SharedRead<ProcessSnapshot>

  constructor(
    private readonly printer: ProcessPrinter,
    /** Throws where a process cannot be signalled. */
    private readonly probe: (pid: number) => unknown = (pid) => process.kill(pid, 0),
  ) {
    this.keepsParents = printer.keepsParents
    this.#snapshots = new SharedRead(printer.print)
  }

  read(): Promise<ProcessSnapshot> {
    return this.#snapshots.next()
  }

  readMark(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  startTimeOf(): undefined {
    return undefined
  }

  isRunning(pid: number): boolean {
    try {
      this.probe(pid)
      return true
    } catch (error) {
      const isForbidden = (error as NodeJS.ErrnoException).code === 'EPERM'
      return isForbidden && this.printer.isRunningWhereForbidden
    }
  }

  bootId(): string {
    return this.printer.bootId()
  }
}

/**
 * Lets callers share a costly read: each gets a result whose read began after its call, and at most one
 * read runs while one more waits.
 */
export class SharedRead<T> {
  #running: Promise<unknown> = Promise.resolve()
  #waiting: Promise<T> | undefined

  constructor(private readonly read: () => Promise<T>) {}

  next(): Promise<T> {
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<T> {
    // Who asks in the same turn of the loop is served together.
    await Promise.all([this.#running, new Promise((resolve) => setImmediate(resolve))])
    this.#waiting = undefined
    const result = this.read()
    this.#running = result.catch(() => undefined) // the error is with those who asked
    return result
  }
}
