import { app } from './app.mjs'
import { strict } from './strict.mjs'

const handlers = new Map()

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged() {
    if (app.isReady()) {
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    }
  },
  handle(scheme, handler) {
    if (!app.isReady()) throw new Error('protocol.handle was called before app is ready')
    if (handlers.has(scheme)) {
      throw new Error(`The scheme has been intercepted or registered: ${scheme}`)
    }
    handlers.set(scheme, handler)
  },
  unhandle(scheme) {
    handlers.delete(scheme)
  },
  isProtocolHandled: (scheme) => handlers.has(scheme),
})

/** The app's answer to a page's request under a custom scheme, or undefined without a handler. */
export async function answerScheme(url, request) {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1))
  if (!handler) return undefined
  const body = request.postDataBuffer()
  const response = await handler(
    new Request(url, {
      method: request.method(),
      headers: request.headers(),
      ...(body && { body }),
    }),
  )
  // As in Electron, the load then fails with ERR_FAILED.
  if (response.type === 'error') return { isError: true }
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

let isPermitted = () => true

/** Whether the app grants its page a permission, by Electron's name. */
export function mayHave(permission) {
  return isPermitted(null, permission, 'app://patchbay/')
}

const defaultSession = strict('session.defaultSession', {
  protocol,
  setPermissionRequestHandler() {},
  setPermissionCheckHandler(handler) {
    isPermitted = handler
  },
  /** Chromium handles downloads itself here. */
  on() {},
  /** A test that needs a proxy replaces this function. */
  resolveProxy: () => Promise.resolve('DIRECT'),
})

export const session = strict('session', {
  defaultSession,
  /** The session that the app's own requests use; they are sent unchanged. */
  fromPartition: (partition) => strict(`session ${partition}`, {}),
})
