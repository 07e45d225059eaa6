import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** Mounts this system with an overlay for all changes; only /tmp is shared. Lives until stdin ends. */
const MOUNT = `
set -e
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
for folder in proc dev tmp; do mount --rbind "/$folder" "$1/root/$folder"; done
echo mounted
cat >/dev/null
`

/** Why packages can't be installed here for a test, as a phrase. */
export function installObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root'
  for (const command of ['dpkg', 'nsenter', 'chroot', 'unshare'])
    if (spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0)
      return `${command} is not installed`
  const overlay =
    'mount -t tmpfs none /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r'
  if (spawnSync('unshare', ['--mount', 'sh', '-c', overlay]).status !== 0)
    return 'no overlay can be mounted'
  return undefined
}

/** A root folder like this system's, where packages are installed without a trace outside. */
export class InstallRoot {
  readonly #child: ChildProcess
  readonly #root: string

  private constructor(child: ChildProcess, root: string) {
    this.#child = child
    this.#root = root
  }

  /** `folder` is below /tmp. */
  static async open(folder: string): Promise<InstallRoot> {
    mkdirSync(folder, { recursive: true })
    const child = spawn('unshare', ['--mount', 'bash', '-c', MOUNT, 'mount', folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    if (line !== 'mounted') throw new Error(line)
    return new InstallRoot(child, join(folder, 'root'))
  }

  /** The command line that runs a program in this root. */
  command(program: string, ...args: string[]): [string, string[]] {
    const own = ['--mount', '--target', String(this.#child.pid), 'chroot', this.#root]
    return ['nsenter', [...own, program, ...args]]
  }

  /** A program's stdout; rejects with its stderr if it fails. */
  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(...this.command(program, ...args))
    return stdout
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
  }
}
