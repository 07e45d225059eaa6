import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { freePort } from '../fixtures/free-port'
import { pause } from '../fixtures/pause'

const SERVERS = join(import.meta.dirname, '..', 'servers')
const NODE = '/usr/bin/node'
const START_LIMIT_MS = 60_000
/** Offset of the machine in an ELF file, and the value of 64-bit Arm. */
const ELF_MACHINE = { offset: 18, arm64: 183 }

/** Why no daemon can run here; undefined if one can. */
export function dockerObstacle(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const missing = ['docker', 'dockerd', 'docker-registry'].filter((name) => !hasProgram(name))
  return missing.length > 0 ? `needs ${missing.join(' and ')}` : undefined
}

export function hasProgram(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A real Docker daemon and image registry on 127.0.0.1, both in their own folders. */
export class DockerDaemon {
  readonly folder = mkdtempSync(join(tmpdir(), 'patchbay-dockerd-'))
  readonly socket = join(this.folder, 'docker.sock')
  readonly #env = { ...process.env, DOCKER_HOST: this.host }
  #daemon: ChildProcess | undefined
  #registry: ChildProcess | undefined
  #port = 0

  get host(): string {
    return `unix://${this.socket}`
  }

  /** Starts or restarts the daemon. */
  async start(): Promise<void> {
    const paths = { data: join(this.folder, 'data'), exec: join(this.folder, 'exec') }
    const log = join(this.folder, 'log')
    this.#daemon = spawn(
      'sh',
      [
        ...['-c', 'exec dockerd "$@" > "$0" 2>&1', log, '--host', this.host, '--bridge=none'],
        ...['--iptables=false', '--ip6tables=false', '--storage-driver=vfs'],
        ...['--data-root', paths.data, '--exec-root', paths.exec],
        ...['--pidfile', join(this.folder, 'pid')],
      ],
      { stdio: 'ignore' },
    )
    await until(
      () => isUp(() => this.docker('version')),
      () => readFileSync(log, 'utf8'),
    )
  }

  /** Stops the daemon with all its containers. */
  async stop(): Promise<void> {
    await endProcess(this.#daemon)
    this.#daemon = undefined
  }

  async startRegistry(): Promise<void> {
    this.#port = await freePort()
    const file = join(this.folder, 'registry.yml')
    const storage = { filesystem: { rootdirectory: join(this.folder, 'images') } }
    const http = { addr: `127.0.0.1:${String(this.#port)}` }
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ version: 0.1, storage, http }))
    this.#registry = spawn('docker-registry', ['serve', file], { stdio: 'ignore' })
    await until(async () => {
      const answer = await fetch(`http://${http.addr}/v2/`).catch(() => undefined)
      return answer?.ok ?? false
    })
  }

  /** Output of `docker ARGS`. */
  docker(...args: string[]): string {
    const output = execFileSync('docker', args, {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return output.toString().trim()
  }

  /** Names of all containers, running or not. */
  containers(): string[] {
    const names = this.docker('ps', '--all', '--format', '{{.Names}}')
    return names === '' ? [] : names.split('\n')
  }

  /** Builds an image with the project's Node and the fixture servers; its entrypoint is Node. */
  makeImage(name: string, { isForeign = false }: { readonly isForeign?: boolean } = {}): void {
    const root = makeRoot(join(this.folder, 'root'), isForeign)
    const args = ['import', '--change', `ENTRYPOINT ["${NODE}"]`, '-', name]
    execFileSync('sh', ['-c', 'tar -C "$0" -c . | docker "$@"', root, ...args], { env: this.#env })
    rmSync(root, { recursive: true })
  }

  /** Pushes an image to the registry; returns its reference for pulling. */
  publish(name: string, path: string): string {
    const reference = `127.0.0.1:${String(this.#port)}/${path}`
    this.docker('tag', name, reference)
    this.docker('push', reference)
    this.docker('rmi', reference, name)
    return reference
  }

  async close(): Promise<void> {
    if (this.#daemon) for (const name of this.containers()) this.docker('rm', '--force', name)
    await endProcess(this.#registry)
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Podman with images and containers in its own folder. */
export class Podman {
  readonly folder = mkdtempSync(join(tmpdir(), 'patchbay-podman-'))
  /** Variables that make podman use the folder. */
  readonly env: Readonly<Record<string, string>>

  constructor() {
    const paths = { graphroot: join(this.folder, 'data'), runroot: join(this.folder, 'run') }
    const storage = Object.entries({ driver: 'vfs', ...paths }).map(toml)
    this.env = {
      CONTAINERS_STORAGE_CONF: this.#write('storage.conf', ['[storage]', ...storage]),
      // A container inside a container can't raise these.
      CONTAINERS_CONF: this.#write('containers.conf', [
        '[containers]',
        'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]',
      ]),
    }
  }

  /** Output of `podman ARGS`. */
  podman(...args: string[]): string {
    const env = { ...process.env, ...this.env }
    return execFileSync('podman', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      .toString()
      .trim()
  }

  containers(): string[] {
    return this.podman('ps', '--all', '--format', '{{.Names}}').split('\n').filter(Boolean)
  }

  makeImage(name: string): void {
    const root = makeRoot(join(this.folder, 'root'))
    const archive = join(this.folder, 'root.tar')
    execFileSync('tar', ['-C', root, '-c', '-f', archive, '.'])
    this.podman('import', '--change', `ENTRYPOINT ["${NODE}"]`, archive, name)
  }

  close(): void {
    this.podman('rm', '--all', '--force')
    // Layers are mounted until then.
    this.podman('rmi', '--all', '--force')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #write(name: string, lines: readonly string[]): string {
    const file = join(this.folder, name)
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
}

const toml = ([key, value]: readonly [string, string]): string =>
  `${key} = ${JSON.stringify(value)}`

/** The folder of an image's files: Node with its libraries, and the servers in `/app`. */
function makeRoot(root: string, isForeign = false): string {
  for (const folder of ['usr/bin', 'app', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
  cpSync(SERVERS, join(root, 'app'), { recursive: true })
  const libraries = execFileSync('ldd', [process.execPath]).toString().match(/\/\S+/gu) ?? []
  for (const library of libraries) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  const node = readFileSync(process.execPath)
  if (isForeign) node.writeUInt16LE(ELF_MACHINE.arm64, ELF_MACHINE.offset)
  writeFileSync(join(root, NODE), node, { mode: 0o755 })
  if (!existsSync(join(root, 'app', 'plain.mjs'))) throw new Error(`No ${basename(root)}/app`)
  return root
}

function isUp(ask: () => unknown): Promise<boolean> {
  try {
    ask()
    return Promise.resolve(true)
  } catch {
    return Promise.resolve(false)
  }
}

async function until(isSo: () => Promise<boolean>, log = (): string => ''): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`It did not start.\n${log()}`)
    await pause(100)
  }
}

async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
