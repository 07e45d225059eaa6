import type { AddressInfo, Server } from 'node:net'

/** This computer only: Patchbay never listens on an address that others reach. */
export const LOOPBACK = '127.0.0.1'
/** The IPv6 address, without brackets. */
export const LOOPBACK_6 = '::1'

/**
 * Listens on 127.0.0.1, or on ::1 if `host` says so, and returns the port; 0 takes a free one. Rejects with the system's error. A later
 * error, such as too many open files, goes to `onFault`, because unhandled it would end the app.
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

/** The port of a listening server. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
