import type { AddressInfo, Server } from 'node:net'

/** This computer alone: nothing of Patchbay's listens on an address that others reach. */
export const LOOPBACK = '127.0.0.1'
/** The same for IPv6, without the brackets of an address. */
export const LOOPBACK_6 = '::1'

/**
 * Has the server listen on 127.0.0.1, or on ::1 where `host` is that, and tells its port; 0 takes a free one. Rejects with the system's error. One that
 * comes later, such as that no file can be opened for a connection, goes to `onFault`: unheard it would end the app.
 */
export function bindLoopback(
  server: Server,
  port: number,
  onFault: (error: Error) => void,
  host: string = LOOPBACK,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen(port, host, () => {
    server.on('error', onFault)
    server.off('error', reject)
    resolve(portOf(server))
  })
  return promise
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
