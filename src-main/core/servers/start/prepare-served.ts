import { AppError } from '../../../../src-shared/domain/app-error'
import type { PlannedAddress } from '../../launch/plan/launch-plan'
import { isLoopback } from '../../network/is-loopback'
import type { LocalHttpAddress } from './launch'
import { addressOf, headersOf } from './prepare-remote'

/**
 * Where an approved command is to serve HTTP. Throws UNSUPPORTED_TRANSPORT where its entry names no address of this
 * computer, and INVALID_VALUES where the address or a header is none.
 */
export function prepareServed({ type, url, headers }: PlannedAddress): LocalHttpAddress {
  if (url === undefined) throw unservedError('The entry does not define its address.')
  const address = addressOf(url)
  if (!isLoopback(address))
    throw unservedError(`The entry’s address, ${address.host}, isn’t this computer.`)
  return { url: address, headers: headersOf(headers), transport: type }
}

function unservedError(message: string): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', message, {
    hint: 'Your values are kept. Try another package or remote of this server.',
  })
}
