import { messageOf } from './describe-failure'

const MOST = 20

/** Passes on the first few warnings: the SDK may warn about a server as often as the server likes. */
export function limitWarnings(warn: (message: string) => void): (message: string) => void {
  let warned = 0
  return (message) => {
    warned += 1
    if (warned <= MOST) warn(messageOf(message))
    if (warned === MOST) warn('More warnings of this kind are not shown.')
  }
}
