const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u

/** Whether an address is on this computer. */
export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname)
}

/** Whether two addresses name one host, possibly with another scheme or another name of this computer. */
export function isSameHost(one: URL, other: URL): boolean {
  const isOne = one.hostname === other.hostname || (isLoopback(one) && isLoopback(other))
  return isOne && (one.port === other.port || one.protocol !== other.protocol)
}
