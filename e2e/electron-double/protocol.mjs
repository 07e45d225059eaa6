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

/** The app's answer to a request of a page under a scheme of its own, or undefined when nothing handles it. */
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

/** Whether the app lets its page have a permission, by the name that Electron has for it. */
export function mayHave(permission) {
  return isPermitted(null, permission, 'app://patchbay/')
}

const defaultSession = strict('session.defaultSession', {
  protocol,
  setPermissionRequestHandler() {},
  setPermissionCheckHandler(handler) {
    isPermitted = handler
  },
  /** Downloads are Chromium's own here. */
  on() {},
  /** A test that wants a proxy puts a function of its own in its place. */
  resolveProxy: () => Promise.resolve('DIRECT'),
})

export const session = strict('session', {
  defaultSession,
  /** One that the app's own requests name; they go out as they are. */
  fromPartition: (partition) => strict(`session ${partition}`, {}),
})
