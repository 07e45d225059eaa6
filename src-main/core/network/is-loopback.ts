const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u

/** Whether an address is on this computer. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}
