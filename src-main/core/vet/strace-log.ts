import { basename } from 'node:path'

/** System calls to trace: processes, connections, and opened files. */
export const STRACE_OPTIONS = [
  // -y: with the path of opened files, independent of the process's folder.
  ...['-f', '-y', '-qq', '-s', '256', '--seccomp-bpf'],
  ...['-e', 'trace=execve,clone,clone3,fork,vfork,connect,openat,open,creat'],
  ...['-e', 'signal=none'],
]

/** Addresses and files that a server's processes reached, without those of its runner (npx, uvx). */
export type Reach = {
  /** Such as "93.184.215.14:443" or "192.0.2.53:53 (name lookup)"; none of this computer. */
  readonly addresses: readonly string[]
  /** Absolute paths of files opened for writing. */
  readonly written: readonly string[]
}

const RUNNERS = /^(?:npx|npm|npx-cli\.js|npm-cli\.js|uvx|uv|pnpm|bunx|docker|podman|strace)$/u
const LINE = /^(?<pid>\d+)\s+(?<call>\w+)\((?<rest>.*)$/u
const RESULT = /=\s+(?<result>-?\d+)(?:<(?<path>\/[^>]*)>)?(?:\s|$)/u
const RESUMED = /^(?<pid>\d+)\s+<\.\.\. (?<call>\w+) resumed>(?<rest>.*)$/u
const UNFINISHED = ' <unfinished ...>'
const TEXT = /"(?<text>(?:[^"\\]|\\.)*)"/gu
const ADDRESS = /inet_addr\("(?<ip>[\d.]+)"\)|inet_pton\(AF_INET6, "(?<ip6>[^"]+)"/u
const PORT = /htons\((?<port>\d+)\)/u
const CLONES = /^(?:clone3?|v?fork)$/u
const WRITES = /O_WRONLY|O_RDWR|O_CREAT/u
const LOOPBACK = /^(?:127\.|::1$|0\.0\.0\.0$|::$|::ffff:127\.)/u
const MOST = 1_000

/** Parses strace output and skips unknown lines. `cwd`: folder of the command. */
export function readStrace(text: string): Reach {
  const trace = new Trace()
  for (const line of text.split('\n')) trace.read(line)
  return { addresses: [...trace.addresses], written: [...trace.written] }
}

class Trace {
  readonly addresses = new Set<string>()
  readonly written = new Set<string>()
  /** Whether a process runs the runner; a child counts like its parent until it executes another program. */
  readonly #ofRunner = new Map<string, boolean>()

  /** Interrupted system calls by process. */
  readonly #unfinished = new Map<string, string>()

  read(line: string): void {
    const resumed = RESUMED.exec(line)?.groups
    const { pid, call, rest } = resumed ?? LINE.exec(line)?.groups ?? {}
    if (pid === undefined || call === undefined || rest === undefined) return
    // The first process is the command.
    if (this.#ofRunner.size === 0) this.#ofRunner.set(pid, true)
    if (rest.endsWith(UNFINISHED)) this.#unfinished.set(pid, rest.slice(0, -UNFINISHED.length))
    else this.#record(pid, call, resumed ? `${this.#unfinished.get(pid) ?? ''}${rest}` : rest)
  }

  #record(pid: string, call: string, rest: string): void {
    const { result, path } = RESULT.exec(rest)?.groups ?? {}
    const hasFailed = result?.startsWith('-') === true
    if (call === 'execve') {
      if (result === '0') this.#ofRunner.set(pid, isRunner(rest))
    } else if (CLONES.test(call)) {
      if (result !== undefined && !hasFailed) this.#inherit(pid, result)
    } else if (this.#ofRunner.get(pid) !== true) {
      // A connection in progress is reported as an error too.
      if (call === 'connect') add(this.addresses, addressIn(rest))
      else if (call === 'creat' || WRITES.test(rest)) add(this.written, path)
    }
  }

  #inherit(parent: string, child: string): void {
    this.#ofRunner.set(child, this.#ofRunner.get(parent) ?? false)
  }
}

function add(set: Set<string>, value: string | undefined): void {
  if (value !== undefined && set.size < MOST) set.add(value)
}

/** Whether the program, or the script it runs, is a runner. */
function isRunner(rest: string): boolean {
  const [path = '', ...args] = [...rest.matchAll(TEXT)].map(({ groups }) => groups?.text ?? '')
  return [path, ...args.slice(0, 2)].some((one) => RUNNERS.test(basename(one)))
}

function addressIn(rest: string): string | undefined {
  const { ip, ip6 } = ADDRESS.exec(rest)?.groups ?? {}
  const host = ip ?? ip6
  const port = PORT.exec(rest)?.groups?.port
  if (host === undefined || port === undefined || port === '0' || LOOPBACK.test(host))
    return undefined
  const address = ip6 === undefined ? `${host}:${port}` : `[${host}]:${port}`
  return port === '53' ? `${address} (name lookup)` : address
}
