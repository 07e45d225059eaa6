/** True for an address at which this Patchbay answers on this computer; `own` is missing while it does not. */
export function isOwnAddress(address: string, own: string | undefined): boolean {
  if (own === undefined || !URL.canParse(address)) return false
  const [there, here] = [new URL(address), new URL(own)]
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(there.hostname)
  return isLoopback && there.port === here.port
}
