import { isLoopback } from '../../network/is-loopback'

/** True for an address at which this Patchbay answers on this computer; `own` is missing while it does not. */
export function isOwnAddress(address: string, own: string | undefined): boolean {
  if (own === undefined || !URL.canParse(address)) return false
  const [there, here] = [new URL(address), new URL(own)]
  return isLoopback(there) && there.port === here.port
}
