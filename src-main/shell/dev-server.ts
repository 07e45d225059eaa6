import type { RendererFile } from '../adapters/renderer-files'
import { isLoopback } from '../core/network/is-loopback'

/** The development server's address; undefined in a packaged app and without one. */
export function devServerOf(address: string | undefined, isPackaged: boolean): URL | undefined {
  const url = isPackaged || address === undefined ? null : URL.parse(address)
  return url?.protocol === 'http:' && isLoopback(url) ? url : undefined
}

/**
 * Reads a renderer file from the development server. The page keeps the built app's address, and its policy allows the server's updates and
 * scripts. Rejects if the server doesn't answer.
 */
export async function readDevFile(server: URL, address: string): Promise<RendererFile> {
  const { pathname, search } = new URL(address)
  const response = await fetch(new URL(`${pathname.replace(/^\/+/, '/')}${search}`, server))
  const body = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? 'text/plain'
  const headers = { 'content-type': type, 'content-security-policy': policyOf(server) }
  return { status: response.ok ? 200 : 404, headers, body }
}

function policyOf({ host }: URL): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data: blob:",
    'media-src blob:',
    `connect-src 'self' http://${host} ws://${host}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
