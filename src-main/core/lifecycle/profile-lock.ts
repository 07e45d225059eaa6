import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Server } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'

/** How a running Patchbay presents itself, with a link if it runs in the browser. */
export const LockHolder = z.object({
  wayIn: z.enum(['desktop', 'browser']),
  pid: z.number(),
  /** Shown and opened unchanged, so only a link of the loopback listener is valid. */
  link: z
    .string()
    .regex(/^http:\/\/127\.0\.0\.1:\d{1,5}\/#token=[\w-]{1,256}$/)
    .optional(),
})
export type LockHolder = z.infer<typeof LockHolder>

export type ProfileLock =
  | { readonly kind: 'held'; release(): Promise<void> }
  | { readonly kind: 'taken'; readonly by: LockHolder }

/** Longest path of a Unix socket on macOS, with its terminator. */
const MAX_SOCKET_PATH = 100
const RESPONSE_MS = 3_000
const MAX_ANSWER = 4_096
const TRIES = 3
/** The request that ends the holder. */
const END = 'end\n'
/** The holder stops its servers first, which takes up to 6 s. */
const TAKE_OVER_MS = 15_000
const TAKE_OVER_EVERY_MS = 100

export type LockOptions = {
  readonly describe: () => LockHolder
  /** Quits this Patchbay in order, because another one takes over the profile. */
  readonly end: () => void
  /** Asks a Patchbay in the browser to quit, and takes over the profile. */
  readonly takesOver?: boolean
  readonly takeOverMs?: number
}

/**
 * Lets one Patchbay at a time use a profile folder. The lock is a local socket: the system frees it however its holder ends, and the holder
 * can report where it runs or end on request.
 */
export async function lockProfile(profileDir: string, options: LockOptions): Promise<ProfileLock> {
  const path = socketPath(profileDir)
  const first = await tryLock(path, profileDir, options)
  if (!options.takesOver || first.kind === 'held' || first.by.wayIn !== 'browser') return first
  const until = Date.now() + (options.takeOverMs ?? TAKE_OVER_MS)
  await queryHolder(path, END)
  while (Date.now() < until) {
    await delay(TAKE_OVER_EVERY_MS)
    const next = await tryLock(path, profileDir, options)
    if (next.kind === 'held') return next
  }
  return first
}

async function tryLock(
  path: string,
  profileDir: string,
  { describe, end }: LockOptions,
): Promise<ProfileLock> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.once('data', (chunk) => {
        if (chunk.toString() === END) end()
      })
      socket.end(JSON.stringify(describe()))
    })
    if (await listens(server, path)) return { kind: 'held', release: () => closed(server) }
    const answer = await queryHolder(path)
    if (typeof answer === 'object') return { kind: 'taken', by: answer }
    // A killed Patchbay left the socket. A silent holder keeps its lock.
    if (answer === 'gone' && process.platform !== 'win32') rmSync(path, { force: true })
  }
  throw new AppError(
    'NOT_AVAILABLE_HERE',
    `Another Patchbay uses ${profileDir} and does not respond.`,
    {
      hint: 'Quit it, or wait until it responds, then start again.',
    },
  )
}

function socketPath(profileDir: string): string {
  const hash = createHash('sha256').update(profileDir).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\patchbay-${hash}`
  mkdirSync(profileDir, { recursive: true, mode: 0o700 })
  const inside = join(profileDir, 'lock.sock')
  if (inside.length <= MAX_SOCKET_PATH) return inside
  const dir = join(tmpdir(), `patchbay-${String(userInfo().uid)}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  checkOwnFolder(dir)
  return join(dir, `${hash}.sock`)
}

/** In a folder that everyone can write to, another account may have been first. */
function checkOwnFolder(dir: string): void {
  const found = lstatSync(dir)
  const isOwn = found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0
  if (isOwn) return
  throw new AppError('INTERNAL', `${dir} can be used by other accounts.`, {
    hint: 'Remove it, or choose a profile folder with a shorter path.',
  })
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    // Every account that can connect can get a link, so only this account may. The socket is created within the call, so that it is never open to
    // others.
    const before = process.umask(0o177)
    server.listen(path, () => resolve(true))
    process.umask(before)
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function queryHolder(path: string, request = ''): Promise<LockHolder | 'gone' | 'silent'> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    if (request) socket.write(request)
    let text = ''
    socket.setEncoding('utf8').setTimeout(RESPONSE_MS, () => socket.destroy())
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > MAX_ANSWER) socket.destroy()
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '') ? 'gone' : 'silent')
    })
    // Any other text isn't from a Patchbay, or from one that ended while answering.
    socket.once('close', () => resolve(LockHolder.safeParse(jsonIn(text)).data ?? 'silent'))
  })
}
