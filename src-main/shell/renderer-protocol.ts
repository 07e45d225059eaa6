import { protocol } from 'electron'

import { readRendererFile } from '../adapters/renderer-files'
import { isRendererUrl, RENDERER_SCHEME } from './renderer-address'

/** Makes `app:` a standard, secure scheme. To be called before the app is ready. */
export function registerRendererScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: RENDERER_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true },
    },
  ])
}

/** Serves the built renderer at `app://patchbay/` until disposed. To be called when the app is ready. */
export function serveRenderer(rendererDir: string): Disposable {
  protocol.handle(RENDERER_SCHEME, async (request) => {
    if (!isRendererUrl(request.url) || request.method !== 'GET') {
      return new Response(null, { status: 404 })
    }
    const file = await readRendererFile(rendererDir, new URL(request.url).pathname)
    return new Response(file.body, { status: file.status, headers: file.headers })
  })
  return {
    [Symbol.dispose]() {
      protocol.unhandle(RENDERER_SCHEME)
    },
  }
}
