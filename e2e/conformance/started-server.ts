import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A program that prints its server's address as its first line, and exits with its input. */
export class StartedServer implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Rejects if the program exits without an address. */
  static async start(file: string, args: readonly string[]): Promise<StartedServer> {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${String(code)} before it served.`)
    })
    const [url] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      ended,
    ])) as [string]
    ended.catch(() => undefined)
    return new StartedServer(child, url)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.stdin?.end()
    await ended
  }
}
