import { messageOf } from './describe-failure'

const MOST = 20

/** Passes warnings on as long as they are few: what the SDK says of a server may come as fast as the server likes. */
export function fewWarnings(warn: (message: string) => void): (message: string) => void {
  let warned = 0
  return (message) => {
    warned += 1
    if (warned <= MOST) warn(messageOf(message))
    if (warned === MOST) warn('More warnings of this kind are not shown.')
  }
}
