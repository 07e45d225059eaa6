import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import * as z from 'zod'

/** How a running Patchbay presents itself: a link to open when it runs in the browser. */
export const LockHolder = z.object({
  wayIn: z.enum(['desktop', 'browser']),
  pid: z.number(),
  link: z.string().optional(),
})
export type LockHolder = z.infer<typeof LockHolder>

export type ProfileLock =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'taken'; readonly by: LockHolder }

/** Longest path of a Unix socket on macOS, with its end. */
const MAX_SOCKET_PATH = 100
const ANSWER_MS = 3_000
const TRIES = 3

/**
 * Lets one Patchbay use a profile folder at a time. The lock is a local socket: the system frees it
 * when its holder ends in whatever way, and the holder can tell a newcomer where it is.
 */
export async function lockProfile(
  profileDir: string,
  describe: () => LockHolder,
): Promise<ProfileLock> {
  const path = socketPath(profileDir)
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.end(JSON.stringify(describe()))
    })
    if (await listens(server, path)) return { kind: 'held', release: () => closed(server) }
    const holder = await askHolder(path)
    if (holder) return { kind: 'taken', by: holder }
    // Nobody answers: left behind by one that was killed.
    if (process.platform !== 'win32') rmSync(path, { force: true })
  }
  throw new Error(`The lock of ${profileDir} could not be taken: ${path} answers to nobody.`)
}

function socketPath(profileDir: string): string {
  const hash = createHash('sha256').update(profileDir).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\patchbay-${hash}`
  mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  const inside = join(profileDir, 'lock.sock')
  if (inside.length <= MAX_SOCKET_PATH) return inside
  const dir = join(tmpdir(), `patchbay-${String(userInfo().uid)}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return join(dir, `${hash}.sock`)
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(path, () => resolve(true))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function askHolder(path: string): Promise<LockHolder | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    let text = ''
    socket.setEncoding('utf8').setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('data', (chunk: string) => (text += chunk))
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => resolve(parseHolder(text)))
  })
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    return LockHolder.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // not a Patchbay, or one that ended while it answered
  }
}
