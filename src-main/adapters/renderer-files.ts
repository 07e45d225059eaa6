import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'

import { attempt } from '../../src-shared/domain/attempt'

/** A renderer file as an HTTP response; `body` is empty unless `status` is 200. */
export type RendererFile = {
  readonly status: 200 | 400 | 404
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** The build puts a content hash into these names. */
const HASHED = /[\\/]assets[\\/][^\\/]+-[\w-]{8}\.\w+$/u

const NONCE_PLACEHOLDER = '__CSP_NONCE__'

/**
 * Reads a file below `rendererDir` by its URL path, with its security headers. A page gets a new nonce in its policy and in place of
 * `__CSP_NONCE__`. Nothing outside the folder is read.
 */
export async function readRendererFile(
  rendererDir: string,
  urlPath: string,
  connect: readonly string[] = [],
): Promise<RendererFile> {
  const root = resolve(rendererDir)
  const wanted = pathBelow(root, urlPath)
  if (wanted === undefined) return nothing(400)
  const type = MEDIA_TYPES[extname(wanted)]
  const body = type === undefined ? undefined : await readFile(wanted).catch(missing)
  if (type === undefined || body === undefined) return nothing(404)
  const nonce = randomBytes(16).toString('base64')
  const headers = {
    'content-type': type,
    'content-security-policy': contentSecurityPolicy({ nonce, connect }),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': HASHED.test(wanted) ? 'public, max-age=31536000, immutable' : 'no-store',
  }
  if (!type.startsWith('text/html')) return { status: 200, headers, body }
  const page = body.toString('utf8').replaceAll(NONCE_PLACEHOLDER, nonce)
  return { status: 200, headers, body: new TextEncoder().encode(page) }
}

/** The absolute path of a URL path, or undefined if it is malformed or leads out of `root`. */
function pathBelow(root: string, urlPath: string): string | undefined {
  const decoded = attempt(() => decodeURIComponent(urlPath))
  if (decoded === undefined || /[\0\\:]/.test(decoded)) return undefined
  const wanted = join(root, decoded === '/' ? 'index.html' : decoded)
  return wanted.startsWith(root + sep) ? wanted : undefined
}

function missing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined
  throw error
}

function nothing(status: 400 | 404): RendererFile {
  return {
    status,
    headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' },
    body: new Uint8Array(),
  }
}

/**
 * The renderer's policy for both ways in, as a header value: scripts and fonts from its own origin only, and styles with `nonce` (base64).
 * `connect` lists the allowed origins.
 */
export function contentSecurityPolicy(options: {
  readonly nonce: string
  readonly connect: readonly string[]
}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${options.nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    // A server's media is shown from bytes in the page; no external address can be a blob.
    'media-src blob:',
    `connect-src ${options.connect.length > 0 ? options.connect.join(' ') : "'none'"}`,
    // Views of tools, each under its own host name on this computer.
    'frame-src http://*.localhost:*',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
