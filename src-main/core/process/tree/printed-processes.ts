import type { ProcessSnapshot, ProcessTable } from './process-table'

/** A system program that prints the process table. */
export type ProcessPrinter = Pick<ProcessTable, 'keepsParents' | 'bootId'> & {
  readonly print: () => Promise<ProcessSnapshot>
  /** Whether EPERM means that the process runs; elsewhere zombies give it too. */
  readonly isRunningWhereForbidden: boolean
}

/** The process table of systems where only a program prints it: expensive, so used only if nothing else tells. */
export class PrintedProcesses implements ProcessTable {
  readonly readsMarks = false
  readonly keepsParents: boolean
  readonly #snapshots: SharedRead<ProcessSnapshot>

  constructor(
    private readonly printer: ProcessPrinter,
    /** Throws if a process can't be signaled. */
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

/** Shares a costly read between callers: each gets a result whose read began after its call; at most one read runs while one waits. */
export class SharedRead<T> {
  #running: Promise<unknown> = Promise.resolve()
  #waiting: Promise<T> | undefined

  constructor(private readonly read: () => Promise<T>) {}

  next(): Promise<T> {
    this.#waiting ??= this.#begin()
    return this.#waiting
  }

  async #begin(): Promise<T> {
    // Serves all callers of the same tick together.
    await Promise.all([this.#running, new Promise((resolve) => setImmediate(resolve))])
    this.#waiting = undefined
    const result = this.read()
    this.#running = result.catch(() => undefined) // callers get the error
    return result
  }
}
