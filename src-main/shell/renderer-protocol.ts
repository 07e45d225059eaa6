import { protocol } from 'electron'

import { readRendererFile } from '../adapters/renderer-files'
import { readDevFile } from './dev-server'
import { isRendererUrl, RENDERER_SCHEME } from './renderer-address'

/** Makes `app:` a standard, secure scheme. To be called before the app is ready. */
export function registerRendererScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: RENDERER_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ])
}

/**
 * Serves the renderer at `app://patchbay/` until disposed: the built one, or that of `devServer`. To be called when the
 * app is ready.
 */
export function serveRenderer(rendererDir: string, devServer?: URL): Disposable {
  protocol.handle(RENDERER_SCHEME, async (request) => {
    if (!isRendererUrl(request.url) || request.method !== 'GET') {
      return new Response(null, { status: 404 })
    }
    const { pathname } = new URL(request.url)
    const file = devServer
      ? await readDevFile(devServer, request.url)
      : await readRendererFile(rendererDir, pathname)
    // An error page, unlike a failed load, would show nothing and be reported nowhere.
    if (file.status !== 200 && pathname.endsWith('.html')) return Response.error()
    return new Response(file.body, { status: file.status, headers: file.headers })
  })
  return {
    [Symbol.dispose]() {
      protocol.unhandle(RENDERER_SCHEME)
    },
  }
}
