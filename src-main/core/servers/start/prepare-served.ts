import { AppError } from '../../../../src-shared/domain/app-error'
import type { PlannedAddress } from '../../launch/plan/launch-plan'
import { isLoopback } from '../../network/is-loopback'
import type { ServedAt } from './launch'
import { addressOf, headersOf } from './prepare-remote'

/**
 * Where an approved command is to serve HTTP. Throws UNSUPPORTED_TRANSPORT where its entry names no address of this
 * computer, and INVALID_VALUES where the address or a header is none.
 */
export function prepareServed({ type, url, headers }: PlannedAddress): ServedAt {
  if (url === undefined) throw unservedError('does not define its address')
  const address = addressOf(url)
  if (!isLoopback(address))
    throw unservedError(`defines the address ${address.host}, which isn’t this computer`)
  return { url: address, headers: headersOf(headers), transport: type }
}

function unservedError(why: string): AppError {
  return new AppError('UNSUPPORTED_TRANSPORT', `Not started: the entry ${why}.`, {
    hint: 'Your values are kept. Try another package or remote of this server.',
  })
}
