import { protocol } from 'electron'

import { readRendererFile } from '../adapters/renderer-files'
import { readDevFile } from './dev-server'
import { isRendererUrl, RENDERER_SCHEME } from './renderer-address'

/** Makes `app:` a standard, secure scheme. Call before the app is ready. */
export function registerRendererScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: RENDERER_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/** Serves the built renderer, or that of `devServer`, at `app://patchbay/` until disposed. Call when the app is ready. */
export function serveRenderer(rendererDir: string, devServer?: URL): Disposable {
  protocol.handle(RENDERER_SCHEME, async (request) => {
    if (!isRendererUrl(request.url) || request.method !== 'GET') {
      return new Response(null, { status: 404 })
    }
    const { pathname } = new URL(request.url)
    const file = devServer
      ? await readDevFile(devServer, request.url)
      : await readRendererFile(rendererDir, pathname)
    // Unlike a failed load, an error page would be blank and unreported.
    if (file.status !== 200 && pathname.endsWith('.html')) return Response.error()
    return new Response(file.body, { status: file.status, headers: file.headers })
  })
  return {
    [Symbol.dispose]() {
      protocol.unhandle(RENDERER_SCHEME)
    },
  }
}
